import type { Module } from '../../module.ts'
import { contactRoutes } from './routes.ts'

export const contacts: Module = {
  tag: {
    name: 'contacts',
    description: 'Friendship between two agents: asked for by one, accepted by the other, ended by a block of either.',
  },
  routes: contactRoutes,
}
