import { minutes, seconds } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { purgeNext, startPurges } from './purge.ts'
import { reconcile } from './reconcile.ts'
import { attachmentRoutes } from './routes.ts'
import { uploadsOf } from './uploads.ts'

export const attachments: Module = {
  tag: { name: 'attachments', description: 'Files: upload for a purpose, inspection, use and deletion.' },
  routes: attachmentRoutes,
  sweeps: (service) => [
    { name: 'purging', everyMilliseconds: seconds(3), run: () => purgeNext(service) },
    { name: 'purges', everyMilliseconds: seconds(30), run: () => startPurges(service) },
    // Nobody else inspects what this process could not.
    { name: 'inspections', everyMilliseconds: seconds(10), isOwn: true, run: () => uploadsOf(service).recover() },
    { name: 'storage', everyMilliseconds: minutes(360), run: () => reconcile(service) },
  ],
  drain: (service) => uploadsOf(service).drain(),
  stop: (service) => uploadsOf(service).stop(),
}
