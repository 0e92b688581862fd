import { minutes } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { delivered } from './delivered.ts'
import { forgetMessages } from './retention.ts'
import { messageRoutes } from './routes.ts'
import { pastKeysWalk, pastMessagesWalk } from './verify.ts'

export const messages: Module = {
  tag: {
    name: 'messages',
    description:
      'Private messages, encrypted end to end with box-v1. The service stores envelopes and cannot open them.',
  },
  routes: messageRoutes,
  acknowledged: delivered,
  sweeps: ({ sql, clock }) => [
    { name: 'messages', everyMilliseconds: minutes(1), run: () => forgetMessages(sql, clock.now()) },
  ],
  walks: [pastMessagesWalk, pastKeysWalk],
}
