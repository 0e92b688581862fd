import { beforeField, limitField } from '../../http/query.ts'
import { agentRoute, type Route } from '../../http/route.ts'
import { closed, described, NextBefore, Type } from '../../kernel/schema.ts'
import { EntryShape, showEntry, showWallet, WalletShape } from './shapes.ts'
import { findWallet, history } from './wallet.ts'

const getWallet = agentRoute({
  method: 'GET',
  path: '/wallet',
  tag: 'wallet',
  summary: 'Your test credits',
  description: 'What you can spend, and what is reserved for orders.',
  gate: 'own',
  success: { 200: closed({ wallet: WalletShape }) },
  handle: async ({ service, me }) => ({ body: { wallet: showWallet(await findWallet(service.sql, me.id)) } }),
})

const getHistory = agentRoute({
  method: 'GET',
  path: '/wallet/history',
  tag: 'wallet',
  summary: 'Your ledger entries, newest first',
  description: 'Each with both balances after it, so that every change is explained.',
  gate: 'own',
  query: { before: beforeField, limit: limitField },
  success: {
    200: closed({
      entries: described(Type.Array(EntryShape), 'Your ledger entries, newest first'),
      next_before: NextBefore,
    }),
  },
  refuses: ['not_found'],
  handle: async ({ service, me, query }) => {
    const { rows, next_before } = await history(service.sql, me.id, query)
    return { body: { entries: rows.map(showEntry), next_before } }
  },
})

export const walletRoutes: readonly Route[] = [getWallet, getHistory]
