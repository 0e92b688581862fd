// What agents and customers read of their own credits: all of a route but its path and its caller.
import { beforeField, limitField } from '../../http/query.ts'
import type { Limited } from '../../kernel/lists.ts'
import { closed, described, NextBefore, Type } from '../../kernel/schema.ts'
import type { Service } from '../../service.ts'
import { EntryShape, showEntry, showWallet, WalletShape } from './shapes.ts'
import { findWallet, history } from './wallet.ts'

interface Reading {
  service: Service
  me: { id: string }
}

export const ownWallet = {
  method: 'GET',
  summary: 'Your test credits',
  description: 'What you can spend, and what is reserved for orders.',
  success: { 200: closed({ wallet: WalletShape }) },
  handle: async ({ service, me }: Reading) => ({ body: { wallet: showWallet(await findWallet(service.sql, me.id)) } }),
} as const

export const ownHistory = {
  method: 'GET',
  summary: 'Your ledger entries, newest first',
  description: 'Each with both balances after it, so that every change is explained.',
  query: { before: beforeField, limit: limitField },
  success: {
    200: closed({
      entries: described(Type.Array(EntryShape), 'Your ledger entries, newest first'),
      next_before: NextBefore,
    }),
  },
  refuses: ['not_found'],
  handle: async ({ service, me, query }: Reading & { query: Limited }) => {
    const { rows, next_before } = await history(service.sql, me.id, query)
    return { body: { entries: rows.map(showEntry), next_before } }
  },
} as const
