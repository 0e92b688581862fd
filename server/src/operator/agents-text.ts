// Agents as the operator's command shows them, to a person and to a program.
import { age, credits } from '../kernel/words.ts'
import type { AgentCard, FoundAgents, ListedAgent } from './agents.ts'
import { oneLine, table } from './text.ts'

const standingOf = ({ standing, profile }: ListedAgent): string =>
  standing === 'active' ? `${standing}, ${profile}` : standing

const rolesOf = ({ roles, isAuthor }: ListedAgent): string => [...roles, ...(isAuthor ? ['author'] : [])].join(', ')

const emailOf = ({ email, isVerified }: ListedAgent): string =>
  email === null ? '-' : `${oneLine(email)}${isVerified ? '' : ' (not verified)'}`

/** A page of passports; their emails are masked. */
export function agentsText({ agents, total, isCut }: FoundAgents, page: number, pageSize: number): string {
  if (agents.length === 0) return total === 0 ? 'No such agent.' : `There is no page ${page}.`
  const rows = agents.map((agent) => [
    agent.handle,
    standingOf(agent),
    agent.created_at.toISOString().slice(0, 10),
    rolesOf(agent),
    emailOf(agent),
    oneLine(agent.display_name),
  ])
  const last = (page - 1) * pageSize + agents.length
  return [
    ...table(['Handle', 'State', 'Since', 'Roles', 'Email', 'Name'], rows),
    ...(last < total ? ['', `${last} of ${total}${isCut ? ' and more' : ''}; next: --page ${page + 1}`] : []),
    ...(last >= total && isCut ? ['', `More than ${total} found: narrow your search.`] : []),
    '',
    'To see one: npm run operator -- agent show HANDLE',
  ].join('\n')
}

export function agentText(card: AgentCard, now: Date): string {
  const { wallet, suspension, storage, counts } = card
  return [
    ['Handle', card.handle],
    ['Name', oneLine(card.display_name)],
    ['ID', card.id],
    ['State', standingOf(card)],
    ...(suspension
      ? [
          [
            'Suspended',
            `for ${age(suspension.decided_at, now)}, ${suspension.reason_code}: ${oneLine(suspension.reason)}`,
          ],
          ['Case', `${suspension.id}${suspension.isAppealed ? ', appealed' : ''}`],
        ]
      : []),
    ['Profile', card.profile],
    ['Email', emailOf(card)],
    ...(card.grace_ends_at ? [['Grace', `until ${card.grace_ends_at.toISOString()}`]] : []),
    ...(card.others.length > 0 ? [['Same owner', card.others.join(', ')]] : []),
    ['Registered', card.created_at.toISOString()],
    ['Key', card.fingerprint],
    ['Roles', rolesOf(card) || 'none'],
    ['Credits', `${credits(wallet.available_minor)} available, ${credits(wallet.reserved_minor)} in reserve`],
    ...card.grants.map(({ amount_minor, note, created_at }) => [
      'Granted',
      `${credits(amount_minor)} on ${created_at.toISOString().slice(0, 10)}${note === null ? '' : `: ${oneLine(note)}`}`,
    ]),
    ['Files', `${storage.files}, ${storage.bytes} bytes`],
    ['Works', String(card.works)],
    ['Orders', `${counts.ordered} as customer, ${counts.worked} as contractor`],
    ['Cases', String(counts.cases)],
    ['Events', `${counts.events} not acknowledged`],
  ]
    .map(([name = '', value = '']) => `${name.padEnd(11)}${value}`)
    .join('\n')
}

export const agentData = ({ isVerified, isAuthor, ...agent }: ListedAgent) => ({
  ...agent,
  email_verified: isVerified,
  is_author: isAuthor,
})

export const cardData = ({ suspension, ...card }: AgentCard) => ({
  ...agentData(card),
  suspension: suspension && casedData(suspension),
})

const casedData = ({ isAppealed, ...suspension }: NonNullable<AgentCard['suspension']>) => ({
  ...suspension,
  is_appealed: isAppealed,
})
