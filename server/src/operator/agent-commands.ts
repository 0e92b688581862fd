// The operator's words about agents: who they are, what they may do, and what they are granted.
import type { GateRules } from '../kernel/gate.ts'
import { credits } from '../kernel/words.ts'
import { type StaffRole, staffRoles } from '../modules/staff/staff.ts'
import { minorTyped } from '../modules/wallet/price.ts'
import { maxBalance } from '../modules/wallet/wallet.ts'
import { type AgentFilter, agentCard, agentFilters, findAgents, longestSearch } from './agents.ts'
import { agentData, agentsText, agentText, cardData } from './agents-text.ts'
import { type Act, type Command, codeOf, type Given, inTransaction, type Means, UsageError } from './command.ts'
import { changeRole, grantCredits, OperatorError, printable, restore, staff, suspend } from './operator.ts'
import { noteAgents } from './search.ts'
import * as text from './text.ts'

const pageSize = 50

export const agentCommands: readonly Command[] = [
  {
    usage: 'agent list [--filter FILTER] [--page N]',
    about: `newest first; FILTER: ${agentFilters.join(', ')}`,
    read: ({ options, actor }) => listing('', actor, options),
  },
  {
    usage: 'agent search TEXT [--filter FILTER] [--page N]',
    about: "by the start of a handle or name, or an owner's full email; logged",
    read: ({ words: [q = ''], options, actor }) => {
      if (q.trim() === '') throw new UsageError('TEXT must not be empty')
      if (q.length > longestSearch) throw new UsageError(`TEXT must have at most ${longestSearch} characters`)
      return listing(q.trim(), actor, options)
    },
  },
  {
    usage: 'agent show HANDLE',
    about: 'show what an operator sees of an agent, without its texts',
    read:
      ({ words: [handle = ''] }) =>
      async (means) => {
        const card = await agentCard(means.sql, await rulesOf(means), handle.replace(/^@/, ''))
        if (!card) throw new OperatorError(`There is no agent with the handle ${printable(handle)}`)
        return { json: { agent: cardData(card) }, text: agentText(card, means.clock.now()) }
      },
  },
  {
    usage: 'agent suspend|restore HANDLE --reason TEXT [--code CODE]',
    about: 'suspend an agent at once, or restore it; it reads why',
    read: ({ words: [verb, handle], actor, options }) => {
      const code = options.code === undefined ? undefined : codeOf(options.code, verb === 'restore')
      return inTransaction((tx) => {
        const order = { actor, handle: handle as string, reason: options.reason as string, code }
        return verb === 'suspend' ? suspend(tx, order) : restore(tx, order)
      }, text.done)
    },
  },
  {
    usage: 'staff',
    about: 'list staff and their roles',
    read:
      () =>
      async ({ sql }) => {
        const found = await staff(sql)
        return { json: { staff: found }, text: text.staff(found) }
      },
  },
  {
    usage: 'staff assign|revoke HANDLE ROLE [--reason TEXT]',
    about: 'support: disputes and feedback; moderator: reports and texts',
    read: ({ words: [verb, handle, role], actor, options }) => {
      if (!staffRoles.includes(role as StaffRole)) throw new UsageError(`ROLE must be ${staffRoles.join(' or ')}`)
      const order = { actor, handle: handle as string, role: role as StaffRole, reason: options.reason }
      return inTransaction((tx) => changeRole(tx, order, verb === 'assign'), text.roles)
    },
  },
  {
    usage: 'credits grant HANDLE AMOUNT --reason TEXT',
    about: 'grant test credits: 500.00, or 50000 hundredths',
    read: ({ words: [handle, typed = ''], actor, options }) => {
      const amount = amountTyped(typed)
      if (amount === undefined || amount > maxBalance)
        throw new UsageError(
          `AMOUNT must be credits, such as 12.50, or hundredths, such as 1250, up to ${credits(maxBalance)}`,
        )
      const order = { actor, handle: handle as string, reason: options.reason as string, amount }
      return inTransaction((tx) => grantCredits(tx, order), text.granted)
    },
  },
]

/** Minor units: what has a point is credits. */
const amountTyped = (typed: string): number | undefined =>
  typed.includes('.') ? minorTyped(typed) : /^[1-9]\d{0,15}$/.test(typed) ? Number(typed) : undefined

function listing(q: string, actor: string, { filter: given, page: typed = '1' }: Given['options']): Act {
  const filter: AgentFilter | undefined = agentFilters.find((each) => each === given)
  if (given !== undefined && !filter) throw new UsageError(`--filter must be one of ${agentFilters.join(', ')}`)
  if (!/^[1-9]\d{0,3}$/.test(typed)) throw new UsageError('--page must be 1 or more')
  const page = Number(typed)
  return async (means) => {
    const found = await findAgents(means.sql, await rulesOf(means), { q, filter, page, page_size: pageSize })
    if (q !== '') await noteAgents(means, actor, q, found)
    if (!found) throw new OperatorError('This is not an email address, a handle or a name')
    const { agents, total, isCut } = found
    const pagination = { page, page_size: pageSize, total, is_cut: isCut }
    return { json: { agents: agents.map(agentData), pagination }, text: agentsText(found, page, pageSize) }
  }
}

/** What the gate goes by, as the service remembers it. */
export async function rulesOf({ sql, config, clock }: Pick<Means, 'sql' | 'config' | 'clock'>): Promise<GateRules> {
  const [since] = await sql<{ value: string }>`select value from instance where name = 'gate_since'`
  return { config, clock, gateSince: since && new Date(since.value) }
}
