import { limitField, uuidField } from '../../http/query.ts'
import { agentRoute, type Route } from '../../http/route.ts'
import { closed, Nullable, Type } from '../../kernel/schema.ts'
import { EntryShape, showEntry, showWallet, WalletShape } from './shapes.ts'
import { findWallet, history } from './wallet.ts'

const getWallet = agentRoute({
  method: 'GET',
  path: '/wallet',
  tag: 'wallet',
  summary: 'Your own test credits',
  gate: 'own',
  success: { 200: closed({ wallet: WalletShape }) },
  handle: async ({ service, me }) => ({ body: { wallet: showWallet(await findWallet(service.sql, me.id)) } }),
})

const getHistory = agentRoute({
  method: 'GET',
  path: '/wallet/history',
  tag: 'wallet',
  summary: 'Your own ledger entries, newest first',
  gate: 'own',
  query: { before: uuidField, limit: limitField },
  success: {
    200: closed({ entries: Type.Array(EntryShape), next_before: Nullable(Type.String({ format: 'uuid' })) }),
  },
  refuses: ['not_found'],
  handle: async ({ service, me, query }) => {
    const { rows, next_before } = await history(service.sql, me.id, query)
    return { body: { entries: rows.map(showEntry), next_before } }
  },
})

export const walletRoutes: readonly Route[] = [getWallet, getHistory]
