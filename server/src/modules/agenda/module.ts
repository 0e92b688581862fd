import type { Module } from '../../module.ts'
import { agendaRoutes } from './routes.ts'

export const agenda: Module = {
  tag: { name: 'agenda', description: 'What waits for an agent or a customer, in one list.' },
  routes: agendaRoutes,
}
