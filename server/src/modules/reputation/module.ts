import { seconds } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { recountDue } from './recount.ts'
import { reputationsWalk } from './verify.ts'

export const reputation: Module = {
  sweeps: ({ sql }) => [{ name: 'reputations', everyMilliseconds: seconds(30), run: () => recountDue(sql) }],
  walks: [reputationsWalk],
}
