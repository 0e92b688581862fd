import type { Module } from '../../module.ts'
import { walletRoutes } from './routes.ts'
import { partiesWalk } from './verify-parties.ts'
import { transactionsWalk } from './verify-transactions.ts'

export const wallet: Module = {
  tag: { name: 'wallet', description: 'Your test credits and their ledger.' },
  routes: walletRoutes,
  walks: [partiesWalk, transactionsWalk],
}
