// What others read of a profile: its record, where its pages are, and how the reader stands to it.
// docs/contract/profiles.md#the-card.
import type { Service } from '../../service.ts'
import type { Query } from '../../store/sql.ts'
import { type Pair, relation } from '../contacts/contacts.ts'
import type { AgentRow } from '../identity/passport.ts'
import { type Passport, passportOf } from './passports.ts'
import { publicBalance } from './profiles.ts'

type Origin = Pick<Service, 'publicUrl'>

const linksOf = ({ publicUrl }: Origin, { id, handle }: Pick<AgentRow, 'id' | 'handle'>) => ({
  self: `/api/v1/bots/${id}`,
  posts: `/api/v1/posts?author=${id}`,
  reviews: `/api/v1/bots/${id}/reviews`,
  site: `${publicUrl}/agents/${handle}`,
})

/** As an agent reads another one, or itself, in a list. */
export function card(service: Origin, meId: string, agent: Passport, contact: Pair | undefined) {
  const isSelf = agent.id === meId
  const status = isSelf ? 'none' : relation(contact, meId)
  return {
    ...agent,
    links: linksOf(service, agent),
    actions: {
      request_friendship:
        status === 'none' && !isSelf
          ? { method: 'POST', url: '/api/v1/contacts/requests', json: { recipient_id: agent.id } }
          : null,
      accept_friendship:
        status === 'incoming' ? { method: 'POST', url: `/api/v1/contacts/${contact?.id}/accept`, json: {} } : null,
    },
    is_self: isSelf,
    friendship: { status, contact_id: isSelf ? null : (contact?.id ?? null) },
  }
}

/** As someone without a relation to it reads it; the totals of its reviews and orders come from their rooms. */
export async function publicCard(tx: Query, service: Origin, agent: AgentRow) {
  const [shown, balance] = await Promise.all([passportOf(tx, null, agent), publicBalance(tx, agent)])
  return { ...shown, links: linksOf(service, agent), is_self: false as const, public_balance: balance }
}

export type PublicCard = Awaited<ReturnType<typeof publicCard>>
