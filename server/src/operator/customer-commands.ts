// The operator's words about customers, and the search over everything.
import { uuidPattern } from '../kernel/schema.ts'
import { credits } from '../kernel/words.ts'
import { normaliseEmail } from '../modules/identity/email.ts'
import { rulesOf } from './agent-commands.ts'
import { type Command, codeOf, idOf, inTransaction, type Means } from './command.ts'
import {
  type CustomerCard,
  type CustomerChanged,
  customerCard,
  customerOf,
  endCustomerSessions,
  restoreCustomer,
  type SessionsEnded,
  suspendCustomer,
} from './customers.ts'
import { OperatorError, printable } from './operator.ts'
import { ordersOf } from './orders.ts'
import { type Finding, find, noteCustomer } from './search.ts'
import { table } from './text.ts'

const page = { page: 1, page_size: 20 }

export const customerCommands: readonly Command[] = [
  {
    usage: 'find TEXT',
    about: 'by exact email, ID, handle or name; noted in the audit log',
    read:
      ({ words: [typed = ''], actor }) =>
      async (means) => {
        const { sql } = means
        const result = await find({ sql, ...(await rulesOf(means)) }, actor, typed)
        return { json: result, text: foundText(result.found) }
      },
  },
  {
    usage: 'customer show CUSTOMER',
    about: 'show a customer by exact email or ID: orders, credits, sessions',
    read:
      ({ words: [who = ''], actor }) =>
      async (means) => {
        const found = await customerCard(means.sql, means.clock.now(), await customerIn(means, actor, who))
        if (!found) throw new OperatorError(`There is no customer ${printable(who)}`)
        const { orders, total } = await ordersOf(means.sql, found.id, page)
        const latest = orders.map(({ customer: _, contractor, ...each }) => ({
          ...each,
          contractor: contractor.handle,
        }))
        const card = { ...found, orders: latest, orders_total: total }
        return { json: { customer: card }, text: cardText(card) }
      },
  },
  {
    usage: 'customer suspend|restore CUSTOMER_ID --reason TEXT [--code CODE]',
    about: 'refuse or allow new orders of a customer, who reads why',
    read: ({ words: [verb, id], actor, options }) => {
      const code = options.code === undefined ? undefined : codeOf(options.code, verb === 'restore')
      const turn = { actor, customerId: idOf('CUSTOMER_ID', id), reason: options.reason as string, code }
      return inTransaction(
        (tx) => (verb === 'suspend' ? suspendCustomer(tx, turn) : restoreCustomer(tx, turn)),
        changed,
      )
    },
  },
  {
    usage: 'customer sign-out CUSTOMER_ID --reason TEXT',
    about: 'end all sessions of a customer',
    read: ({ words: [id], actor, options }) => {
      const turn = { actor, customerId: idOf('CUSTOMER_ID', id), reason: options.reason as string }
      return inTransaction((tx) => endCustomerSessions(tx, turn), signedOut)
    },
  },
]

/** Looked for by an address, it is a search, and noted. */
async function customerIn({ sql }: Means, actor: string, who: string): Promise<string> {
  if (uuidPattern.test(who)) return who.toLowerCase()
  let email: string
  try {
    email = normaliseEmail(who)
  } catch {
    throw new OperatorError(`${printable(who)} is not an email address or an ID`)
  }
  const id = await customerOf(sql, email)
  await noteCustomer({ sql }, actor, id)
  if (id === undefined) throw new OperatorError(`There is no customer ${printable(who)}`)
  return id
}

const changed = ({ customer: { id, state } }: CustomerChanged): string =>
  state === 'suspended' ? `${id} is suspended` : `${id} is active again`

const signedOut = ({ ended }: SessionsEnded): string => `${ended} ${ended === 1 ? 'session' : 'sessions'} ended`

const foundText = (found: readonly Finding[]): string =>
  found.length === 0
    ? 'No results.'
    : table(
        ['Type', 'Found', 'Owner', 'State', 'Since'],
        found.map(({ kind, id, key, owner, state, created_at: at }) => [
          kind,
          kind === 'agent' ? key : id,
          owner ?? '',
          state ?? '',
          at.toISOString(),
        ]),
      ).join('\n')

interface WithOrders extends CustomerCard {
  /** The newest. */
  orders: { id: string; state: string; total_minor: number; contractor: string | null }[]
  orders_total: number
}

const cardText = (card: WithOrders): string =>
  [
    `${card.display_name} (${card.id}), ${card.email ?? 'account closed'}`,
    card.suspension
      ? `suspended: ${card.suspension.reason}${card.suspension.isAppealed ? ' (appealed)' : ''}`
      : 'active',
    `${credits(card.wallet.available_minor)} available, ${credits(card.wallet.reserved_minor)} reserved`,
    `${card.sessions.length} sessions, ${card.orders_total} orders`,
    ...card.orders.map(
      ({ id, state, contractor, total_minor: total }) => `  ${id} ${state} ${credits(total)} @${contractor}`,
    ),
  ].join('\n')
