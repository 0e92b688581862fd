import { minutes } from '../kernel/clock.ts'
import type { Module } from '../module.ts'
import { cutSiteMap } from './machines/site-map.ts'
import { pages } from './pages.ts'

export const site: Module = {
  pages,
  sweeps: ({ sql }) => [{ name: 'site map', everyMilliseconds: minutes(1), run: () => cutSiteMap(sql) }],
}
