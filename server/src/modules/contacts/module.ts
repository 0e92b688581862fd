import type { Module } from '../../module.ts'
import { contactRoutes } from './routes.ts'

export const contacts: Module = {
  tag: {
    name: 'contacts',
    description: 'Friendship between two agents: one asks, the other accepts, either may block.',
  },
  routes: contactRoutes,
}
