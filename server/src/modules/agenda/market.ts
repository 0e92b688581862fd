// What waits on the market: requests to answer, bids to choose from, agreements and project cases to consent to.
import { part } from '../../kernel/part.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { contactOf, type Relation } from '../orders/relations.ts'
import type { moves } from '../requests/machine.ts'
import { sideFault, stateFault } from '../requests/permitted.ts'
import type { ServiceRequest } from '../requests/requests.ts'
import { doables, limitOf, narrowed, never, type Source } from './source.ts'

export const requests: Source = {
  kind: 'request',
  async find({ tx, service, me }, wanted) {
    const rows = await tx<ServiceRequest & Relation & { is_there: boolean }>`
      select r.*, a.suspended_at is null as is_active, ${isOpen} as is_open,
        ${contactOf(part`r.provider_id`, part`r.customer_id`)} = 'accepted' as is_friend,
        exists (select 1 from agents a where a.id = r.provider_id and ${isOpen})
          and not ${isHidden('service', part`r.service_id`)} as is_there
      from service_requests r join agents a on a.id = r.customer_id
      where r.provider_id = ${me.id} and r.status = 'open' and r.expires_at > ${tx.now}
        ${narrowed(wanted, part`r.expires_at`, part`r.id`)}
      order by r.expires_at, r.id limit ${limitOf(wanted)}`
    return rows.map((request) => {
      const standing = { now: tx.now, request, other: request, isThere: request.is_there }
      const may = (action: keyof typeof moves) =>
        !sideFault(me, action, standing) && !stateFault(action, standing) && ([action, 'new'] as const)
      const actions = doables({ service, me }, `/service-requests/${request.id}`, [may('offer'), may('reject')])
      const isOfferable = actions.some(({ name }) => name === 'offer')
      return {
        kind: 'request',
        id: request.id,
        says: isOfferable
          ? 'Answer the request: offer an order on it, or reject it'
          : 'Answer the request: you can only reject it',
        since: request.created_at,
        due_at: request.expires_at,
        actions,
      }
    })
  },
}

export const tasks: Source = {
  kind: 'task',
  async find({ tx, service, me }, wanted) {
    const rows = await tx<{ id: string; expires_at: Date; is_selectable: boolean; since: Date }>`
      select t.id, t.expires_at, first.created_at as since, exists (
          select 1 from bids b join agents a on a.id = b.bidder_id and a.suspended_at is null
          where b.task_id = t.id and b.state = 'open' and b.deadline > ${tx.now}
            and ${contactOf(part`b.bidder_id`, part`t.customer_id`)} <> 'blocked'
        ) and not ${isHidden('task', part`t.id`)} as is_selectable
      from tasks t cross join lateral (
        select b.created_at from bids b where b.task_id = t.id and b.state = 'open' order by b.id limit 1) first
      where t.customer_id = ${me.id} and t.state = 'open' and t.expires_at > ${tx.now}
        ${narrowed(wanted, part`t.expires_at`, part`t.id`)}
      order by t.expires_at, t.id limit ${limitOf(wanted)}`
    return rows.map(({ id, expires_at, is_selectable, since }) => ({
      kind: 'task',
      id,
      says: is_selectable
        ? 'Choose from the bids on your task: select one, or cancel the task'
        : 'No bid on your task can be selected now: wait for another, or cancel the task',
      since,
      due_at: expires_at,
      actions: doables({ service, me }, `/tasks/${id}`, [is_selectable && ['select', 'new'], ['cancel', 'new']]),
    }))
  },
}

export const readyConsents: Source = {
  kind: 'ready_consent',
  async find({ tx, service, me }, wanted) {
    const limit = limitOf(wanted)
    const rows = await tx<{ service_id: string; is_consentable: boolean; created_at: Date }>`
      select r.service_id, r.created_at, a.id = r.customer_id or ${isOpen} as is_consentable
      from (
        (select * from ready_services r
        where r.provider_id = ${me.id} and r.provider_consented_at is null and r.stopped_at is null
          ${narrowed(wanted, never, part`r.service_id`)} order by r.service_id limit ${limit})
        union all
        (select * from ready_services r
        where r.customer_id = ${me.id} and r.customer_consented_at is null and r.stopped_at is null
          ${narrowed(wanted, never, part`r.service_id`)} order by r.service_id limit ${limit})
      ) r join agents a on a.id = ${me.id}
      order by r.service_id limit ${limit}`
    return rows.map(({ service_id: id, is_consentable, created_at }) => ({
      kind: 'ready_consent',
      id,
      says: is_consentable
        ? 'Consent to the sale of this work, or withdraw from it'
        : 'Open your profile to consent to the sale of this work, or withdraw from it',
      since: created_at,
      due_at: null,
      actions: doables({ service, me }, `/services/${id}/ready`, [
        is_consentable && ['consent', 'new'],
        ['withdraw', 'new'],
      ]),
    }))
  },
}

export const projectCases: Source = {
  kind: 'project_case',
  async find({ tx, service, me }, wanted) {
    const openOf = (side: 'customer' | 'contractor') =>
      part`exists (select 1 from agents a where a.id = ${side === 'customer' ? part`c.customer_id` : part`c.contractor_id`} and ${isOpen})`
    const rows = await tx<{ id: string; is_own_open: boolean; is_other_open: boolean; since: Date }>`
      select c.id, c.contractor_consented_at as since, ${openOf('customer')} as is_own_open,
        ${openOf('contractor')} as is_other_open
      from project_cases c
      where c.customer_id = ${me.id} and c.state = 'proposed' and not ${isHidden('project_case', part`c.id`)}
        ${narrowed(wanted, never, part`c.id`)}
      order by c.id limit ${limitOf(wanted)}`
    return rows.map(({ id, is_own_open, is_other_open, since }) => ({
      kind: 'project_case',
      id,
      says: is_own_open
        ? is_other_open
          ? 'Read this project case: consent to it, or withdraw it'
          : 'The contractor’s profile is closed: wait until it opens, or withdraw this project case'
        : 'Open your profile to consent to this project case, or withdraw it',
      since,
      due_at: null,
      actions: doables({ service, me }, `/project-cases/${id}`, [
        is_own_open && is_other_open && ['consent', 'new'],
        ['withdraw', 'new'],
      ]),
    }))
  },
}
