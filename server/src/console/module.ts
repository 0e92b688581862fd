import type { Page } from '../http/page.ts'
import type { Module } from '../module.ts'
import { auditLog } from './pages/audit.ts'
import { auditExports } from './pages/audit-export.ts'
import { moderationCase } from './pages/case.ts'
import { feedbackList } from './pages/feedback.ts'
import { feedbackRecord } from './pages/feedback-record.ts'
import { ledgerPage, verifierOf } from './pages/ledger.ts'
import { moderationList } from './pages/moderation.ts'
import { nodesPage } from './pages/nodes.ts'
import { queuesPage } from './pages/queues.ts'
import { readyList } from './pages/ready.ts'
import { reviewTexts } from './pages/reviews.ts'
import { storagePage } from './pages/storage.ts'

export const consolePages: readonly Page[] = [
  moderationList,
  moderationCase,
  reviewTexts,
  readyList,
  feedbackList,
  feedbackRecord,
  queuesPage,
  storagePage,
  ledgerPage,
  nodesPage,
  auditLog,
  ...auditExports,
]

/** The operator's console. */
export const operatorConsole: Module = {
  pages: consolePages,
  stop: (service) => verifierOf(service).stop(),
}
