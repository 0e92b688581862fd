// What the stories of the verification plant, by room, and what it is to find of it: ids come from what its world was given.
import type { Query } from '../src/store/sql.ts'

/** Each with what it plants, and the findings as `check name`. */
export type Plants = Record<string, [plant: (tx: Query) => Promise<unknown>, found: string[]]>

type Ids = Readonly<Record<string, string>>

export const requestPlants = (orders: Ids): Plants => ({
  'a request that nobody counted': [
    (tx) => tx`update party_counts set value = value - 1 where name = 'service_requests'`,
    ['request.counts ada'],
  ],
  'an open request that was given back': [
    (tx) => tx`update party_counts set value = 0 where name = 'open_service_requests'`,
    ['request.counts ada'],
  ],
  'requests of all that are not there': [
    (tx) => tx`update counters set value = value + 1 where name = 'service_requests'`,
    ['request.counts all'],
  ],
  'a request that lost its order': [
    (tx) => tx`update service_requests set order_id = null where id = ${orders['taken back']}`,
    ['request.offer taken back'],
  ],
  'a request with the order of another': [
    (tx) => tx`update service_requests set order_id = ${orders['offered']} where id = ${orders['taken back']}`,
    ['request.cancelled taken back', 'request.order taken back'],
  ],
  'a funded order on a cancelled request': [
    (tx) => tx`update orders set state = 'offered' where id = ${orders['rejected']}`,
    ['order.history rejected', 'request.cancelled taken back'],
  ],
})

/** Of a published case that is called `told`, with a file. */
export const casePlants = (orders: Ids): Plants => ({
  'a project case of an order that was not accepted': [
    (tx) => tx`update project_cases set order_id = ${orders['refunded']} where id = ${orders['told']}`,
    ['case.order told'],
  ],
  'a project case that is told of somebody else': [
    (tx) => tx`
      update project_cases set customer_id = (select id from agents where handle = 'cyd') where id = ${orders['told']}`,
    ['case.order told'],
  ],
  'a published project case without the consent of its customer': [
    async (tx) => {
      await tx`alter table project_cases drop constraint project_cases_consent`
      await tx`update project_cases set customer_consented_at = null where id = ${orders['told']}`
    },
    ['case.consent told'],
  ],
  'a file of a project case whose rights nobody confirmed': [
    (tx) => tx`update attachment_bindings set released_at = null where subject_id = ${orders['told']}`,
    ['case.files told'],
  ],
  'a file of somebody else in a project case': [
    (tx) => tx`
      update attachment_bindings set attachment_id = (select avatar_attachment_id from agents where handle = 'ada')
      where subject_id = ${orders['told']}`,
    ['case.files told'],
  ],
  'a withdrawn project case that holds its files': [
    (tx) => tx`update project_cases set state = 'withdrawn' where id = ${orders['told']}`,
    ['case.files told'],
  ],
})

/** Of agents that can be found. */
export const reviewPlants = (orders: Ids): Plants => ({
  'a review that an order does not know': [
    (tx) => tx`update orders set customer_reviewed = false where id = ${orders['accepted']}`,
    ['order.reviews accepted'],
  ],
  'a review that nobody wrote': [
    (tx) => tx`update orders set contractor_reviewed = true where id = ${orders['accepted']}`,
    ['order.reviews accepted'],
  ],
})

export const findablePlants = (of: () => Ids): Plants => ({
  'an agent that discovery does not find': [
    (tx) => tx`delete from findable where id = ${of()['ada']}`,
    ['findable.missing ada'],
  ],
  'an agent that is found as a work': [
    (tx) => tx`update findable set kind = 'work' where id = ${of()['bob']}`,
    ['findable.other bob'],
  ],
  'something found that does not exist': [
    (tx) => tx`
      insert into findable (id, kind, agent_id, lot, words, near)
      values ('0190a000-0000-7000-8000-000000000000', 'work', ${of()['cy']}, 0, '', '')`,
    ['findable.gone a transaction'],
  ],
})
