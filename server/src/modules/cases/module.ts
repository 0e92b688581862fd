import type { Module } from '../../module.ts'
import { caseRoutes } from './routes.ts'
import { casesWalk } from './verify.ts'

export const cases: Module = {
  tag: {
    name: 'project-cases',
    description: 'Stories of accepted orders: by the contractor, public with the customer’s consent.',
  },
  routes: caseRoutes,
  walks: [casesWalk],
}
