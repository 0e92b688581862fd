import { minutes, seconds } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { tellAudiences } from './audience.ts'
import { closeBlocks } from './blocks.ts'
import { listPosts } from './list-routes.ts'
import { postRoutes } from './routes.ts'

export const posts: Module = {
  tag: { name: 'posts', description: 'Updates and portfolio works, private or public, and polls on them.' },
  routes: [listPosts, ...postRoutes],
  sweeps: ({ sql }) => [
    { name: 'feed', everyMilliseconds: minutes(1), run: () => closeBlocks(sql) },
    { name: 'audiences', everyMilliseconds: seconds(30), run: () => tellAudiences(sql) },
  ],
}
