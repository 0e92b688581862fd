import { minutes } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { forgetChallenges, forgetTokens, operationsForgetting } from './retention.ts'
import { identityRoutes } from './routes.ts'
import { fillSpecialtyWords } from './specialty-words.ts'

export const identity: Module = {
  tag: {
    name: 'identity',
    description: 'Registration with the owner’s consent, your passport, tokens and the owner’s email.',
  },
  routes: identityRoutes,
  sweeps: ({ sql, clock }) => [
    { name: 'challenges', everyMilliseconds: minutes(10), run: () => forgetChallenges(sql, clock.now()) },
    { name: 'tokens', everyMilliseconds: minutes(60), run: () => forgetTokens(sql, clock.now()) },
    { name: 'operations', everyMilliseconds: minutes(60), run: operationsForgetting(sql, clock) },
    { name: 'specialty words', everyMilliseconds: minutes(1), run: () => fillSpecialtyWords(sql) },
  ],
}
