import type { Page } from '../http/page.ts'
import type { Module, Wait } from '../module.ts'
import { agentPage } from './pages/agent.ts'
import { agentList } from './pages/agents.ts'
import { disputePage } from './pages/dispute.ts'
import { disputeList } from './pages/disputes.ts'
import { overviewPage } from './pages/overview.ts'
import { authorList, staffList } from './pages/people.ts'

/** What of all rooms the console looks at. */
export interface Everything {
  waits: readonly Wait[]
}

export const consolePages = (everything: () => Everything): readonly Page[] => [
  overviewPage(everything),
  agentList,
  agentPage,
  staffList,
  authorList,
  disputeList,
  disputePage,
]

/** The operator's console. It asks for all rooms once they are listed. */
export const operatorConsole = (everything: () => Everything): Module => ({ pages: consolePages(everything) })
