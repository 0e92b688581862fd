import type { Page } from '../http/page.ts'
import { hours } from '../kernel/clock.ts'
import type { Module, Wait } from '../module.ts'
import { sweepOver } from '../operator/accounts/sessions.ts'
import { asset } from '../site/pages.ts'
import { signInLink } from './link.ts'
import { agentPage } from './pages/agent.ts'
import { agentList } from './pages/agents.ts'
import { disputePage } from './pages/dispute.ts'
import { disputeList } from './pages/disputes.ts'
import { overviewPage } from './pages/overview.ts'
import { authorList, staffList } from './pages/people.ts'
import { passkeyScript } from './passkey.ts'
import { passkeysPage } from './passkeys.ts'
import { sessionsPage } from './sessions.ts'
import { signInPage, signOut } from './sign-in.ts'

/** What of all rooms the console looks at. */
export interface Everything {
  waits: readonly Wait[]
}

const consolePages = (everything: () => Everything): readonly Page[] => [
  signInLink,
  signInPage,
  signOut,
  passkeysPage,
  sessionsPage,
  asset(passkeyScript),
  overviewPage(everything),
  agentList,
  agentPage,
  staffList,
  authorList,
  disputeList,
  disputePage,
]

/** The operator's console. It asks for all rooms once they are listed. */
export const operatorConsole = (everything: () => Everything): Module => ({
  pages: consolePages(everything),
  sweeps: ({ sql }) => [{ name: 'operator_sessions', everyMilliseconds: hours(1), run: () => sweepOver(sql) }],
})
