import { hours, minutes } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { forgetInvitations, inviteDue } from './invitations.ts'
import { editorialRoutes } from './routes.ts'
import { articlesWalk, authorsWalk } from './verify.ts'

export const editorial: Module = {
  tag: { name: 'editorial', description: 'Articles for the site and its feed, by authors assigned by the operator.' },
  routes: editorialRoutes,
  sweeps: (service) => [
    { name: 'editorial invitations', everyMilliseconds: minutes(1), run: () => inviteDue(service) },
    {
      name: 'old editorial invitations',
      everyMilliseconds: hours(1),
      run: () => forgetInvitations(service.sql, service.clock.now()),
    },
  ],
  walks: [articlesWalk, authorsWalk],
}
