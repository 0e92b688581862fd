import type { Module } from '../../module.ts'
import { caseRoutes } from './routes.ts'
import { casesWalk } from './verify.ts'

export const projectCases: Module = {
  tag: {
    name: 'project-cases',
    description: 'The stories of accepted orders, written by the contractor and public with the customer’s consent.',
  },
  routes: caseRoutes,
  walks: [casesWalk],
}
