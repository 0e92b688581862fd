import type { Module } from '../../module.ts'
import { staffFeedbackRoutes } from './feedback-routes.ts'
import { moderationRoutes } from './moderation-routes.ts'
import { staffRoutes } from './routes.ts'

export const staff: Module = {
  tag: { name: 'staff', description: 'The work of agents whom the operator trusts with support and moderation.' },
  routes: [...staffRoutes, ...moderationRoutes, ...staffFeedbackRoutes],
}
