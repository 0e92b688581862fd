import type { PageRoute } from '../http/page.ts'
import { hours, minutes } from '../kernel/clock.ts'
import type { Module } from '../module.ts'
import { sweepOver } from '../operator/accounts/sessions.ts'
import { countKeeper, keepFigures } from '../operator/figures.ts'
import { asset } from '../site/pages.ts'
import { signInLink } from './link.ts'
import { agentPage } from './pages/agent.ts'
import { agentList } from './pages/agents.ts'
import { auditLog } from './pages/audit.ts'
import { auditExports } from './pages/audit-export.ts'
import { customerPage } from './pages/customer.ts'
import { customerList } from './pages/customers.ts'
import { disputePage } from './pages/dispute.ts'
import { disputeList } from './pages/disputes.ts'
import { feedbackList } from './pages/feedback.ts'
import { feedbackRecord } from './pages/feedback-record.ts'
import { ledgerPage, verifierOf } from './pages/ledger.ts'
import { moderationList } from './pages/moderation.ts'
import { casePreview, moderationCase } from './pages/moderation-case.ts'
import { nodesPage } from './pages/nodes.ts'
import { operatorList } from './pages/operators.ts'
import { orderPage } from './pages/order.ts'
import { overviewPage } from './pages/overview.ts'
import { queuesPage } from './pages/queues.ts'
import { readyList } from './pages/ready.ts'
import { reviewTexts } from './pages/reviews.ts'
import { authorList, staffList } from './pages/roles.ts'
import { searchPage } from './pages/search.ts'
import { storagePage } from './pages/storage.ts'
import { passkeyScript } from './passkey.ts'
import { passkeysPage } from './passkeys.ts'
import { sessionsPage } from './sessions.ts'
import { consoleSheet } from './sheet.ts'
import { signInPage, signOut } from './sign-in.ts'

const consolePages: readonly PageRoute[] = [
  signInLink,
  signInPage,
  signOut,
  passkeysPage,
  sessionsPage,
  asset(passkeyScript),
  asset(consoleSheet),
  overviewPage,
  agentList,
  agentPage,
  searchPage,
  customerList,
  customerPage,
  orderPage,
  operatorList,
  staffList,
  authorList,
  disputeList,
  disputePage,
  moderationList,
  moderationCase,
  casePreview,
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
  sweeps: (service) => [
    { name: 'operator sessions', everyMilliseconds: hours(1), run: () => sweepOver(service.sql) },
    { name: 'daily figures', everyMilliseconds: minutes(1), run: () => keepFigures(service.sql) },
    { name: 'daily counts', everyMilliseconds: minutes(1), isOwn: true, run: countKeeper(service) },
  ],
  stop: (service) => verifierOf(service).stop(),
}
