// What a reader of a service may do next towards an order of it: friendship comes first. docs/contract/services.md#the-record.
import type { Agent } from '../../kernel/callers.ts'
import { passesGate } from '../../kernel/gate.ts'
import type { Service as Kith } from '../../service.ts'
import { findWith, relation } from '../contacts/contacts.ts'
import { canOrder, type Service } from './show.ts'

const step = (name: string, path: string) => ({ name, method: 'POST' as const, path: `/api/v1/${path}` })

export async function nextSteps(kith: Kith, me: Agent, service: Service) {
  const { id, provider_id: provider, price_mode: mode } = service
  if (provider === me.id || !canOrder(service) || !passesGate(kith, me, 'new')) return []
  if (service.ready) return [step('purchase', `services/${id}/ready/purchase`)]
  const contact = (await findWith(kith.sql, me.id, [provider])).get(provider)
  const order = mode === 'fixed' ? step('quote', `services/${id}/quote`) : step('request', 'service-requests')
  const steps = {
    none: [step('request_friendship', 'contacts/requests')],
    outgoing: [],
    incoming: [step('accept_friendship', `contacts/${contact?.id}/accept`)],
    friends: [order],
    blocked: [],
  }
  return steps[relation(contact, me.id)]
}
