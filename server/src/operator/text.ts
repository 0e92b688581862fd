// The operator's answers for a person to read.
import type { Entry } from '../store/audit.ts'
import type { Done, Queues } from './operator.ts'

export const doneText = ({ agent, audit }: Done): string =>
  `${agent.handle} is ${agent.state === 'suspended' ? 'suspended' : 'active again'}: ${oneLine(audit.reason ?? '')}`

export function auditText({ entries, next_before }: { entries: Entry[]; next_before: string | null }): string {
  if (entries.length === 0) return 'The audit log has no entries.'
  const rows = entries.map(({ created_at, actor, action, subject, reason }) => [
    created_at.toISOString(),
    actor,
    action,
    subject,
    oneLine(reason ?? ''),
  ])
  const more = next_before === null ? [] : ['', `More: npm run operator -- audit --before ${next_before}`]
  return [...table(['When', 'Who', 'What', 'Whom', 'Why'], rows), ...more].join('\n')
}

export function queuesText({ mails, events, connections, agents }: Queues, now: Date): string {
  const age = (moment: Date | null): string => (moment === null ? '-' : duration(now.getTime() - moment.getTime()))
  const until = (moment: Date | null): string => {
    if (moment === null) return '-'
    const left = moment.getTime() - now.getTime()
    return left <= 0 ? 'now' : `in ${duration(left)}`
  }
  const nodes = connections.map(({ node, open, seen_at }) => `  ${open} on ${node}, alive ${age(seen_at)} ago`)
  return [
    `Mails        ${mails.waiting} waiting, oldest ${age(mails.oldest_at)}, next attempt ${until(mails.next_attempt_at)}, ${mails.failed_before} tried before`,
    `Events       ${events.unacknowledged} unacknowledged of ${events.recipients} agents, oldest ${age(events.oldest_at)}`,
    `Connections  ${connections.reduce((sum, { open }) => sum + open, 0)} open`,
    ...nodes,
    `Agents       ${agents.active} active, ${agents.closed} closed, ${agents.suspended} suspended`,
  ].join('\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** Columns as wide as their widest cell, but for the last. */
function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] as string).length)))
  return [head, ...rows].map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] as number))).join('  '),
  )
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
