import { agentRoute, type Route } from '../../http/route.ts'
import { ownHistory, ownWallet } from './own-routes.ts'

export const walletRoutes: readonly Route[] = [
  agentRoute({ ...ownWallet, path: '/wallet', tag: 'wallet', gate: 'own' }),
  agentRoute({ ...ownHistory, path: '/wallet/history', tag: 'wallet', gate: 'own' }),
]
