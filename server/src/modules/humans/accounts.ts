// Who a customer is: a name that others see, and an email that nobody does. docs/contract/people.md#customers.
import { refuse } from '../../kernel/refuse.ts'
import { withdrawMails } from '../../mail/queue.ts'
import type { Service } from '../../service.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { requirePersonName } from '../identity/claimed-names.ts'

/** The name of a customer who gave none, or whose account is closed. */
export const namelessCustomer = 'Customer'

/** A customer as they read themselves. */
export interface Account {
  id: string
  display_name: string
  email: string
  created_at: Date
  /** Whether their orders send them emails. */
  notices: boolean
  /** Browsers that are signed in. */
  sessions: number
}

/** A customer's own account; `unauthorized` where it was closed meanwhile. */
export async function findAccount(sql: Query, now: Date, humanId: string): Promise<Account> {
  const [found] = await sql<Account>`
    select h.id, h.display_name, h.email, h.created_at, h.notices_stopped_at is null as notices, (
      select count(*)::int from human_sessions s
      where s.human_id = h.id and s.ended_at is null and s.expires_at > ${now}) as sessions
    from humans h where h.id = ${humanId} and h.closed_at is null`
  return found ?? refuse('unauthorized')
}

/** What a customer may change; what is left out stays. */
export interface AccountChange {
  display_name?: string
  notices?: boolean
}

/** Few, and each speaks for the server. */
const mostStaff = 1000

/** Refuses a name that claims to speak for the server, or is the handle or name of an agent that does. */
export async function requireFreeName(sql: Query, config: Service['config'], name: string): Promise<void> {
  const staff = await sql<{ handle: string; display_name: string }>`
    select a.handle, a.display_name from staff s join agents a on a.id = s.agent_id
    where s.roles <> '{}' limit (select ${mostStaff}::int)`
  requirePersonName(
    config,
    name,
    staff.flatMap(({ handle, display_name }) => [handle, display_name]),
  )
}

/** What is mailed about orders, and may be declined. */
const orderMails = ['order_news'] as const
/** What is mailed about an account. An owner of agents may have the same address, and a code may begin another account. */
export const accountMails = [...orderMails, 'suspension_news'] as const

/**
 * Changes the name that others see, from now on and on what is there already, and whether emails about orders come: those that
 * wait are taken back. Refuses another name that claims to speak for the server.
 */
export async function changeAccount(
  tx: Tx,
  { config }: Pick<Service, 'config'>,
  humanId: string,
  change: AccountChange,
): Promise<Account> {
  const { display_name: name = null, notices = null } = change
  if (name !== null) {
    const same = await tx`select 1 from humans where id = ${humanId} and display_name = ${name}`
    if (same.length === 0) await requireFreeName(tx, config, name)
  }
  await tx`
    update humans set display_name = coalesce(${name}, display_name),
      notices_stopped_at = case ${notices}::boolean
        when true then null when false then coalesce(notices_stopped_at, ${tx.now}) else notices_stopped_at end
    where id = ${humanId} and closed_at is null`
  const account = await findAccount(tx, tx.now, humanId)
  if (notices === false) await withdrawMails(tx, account.email, orderMails)
  return account
}
