// Faults planted in what is counted of trade, each in a transaction of its own, and what the verification says of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trade } from '../../test/orders.ts'
import type { Plants } from '../../test/planted.ts'
import { foundIn, testPlants } from '../../test/planting.ts'
import { reviewBody } from '../../test/reviews.ts'
import { beforehand, story } from '../../test/story.ts'
import { befriend } from '../../test/world.ts'
import { reputationsWalk } from '../modules/reputation/verify.ts'

const { w } = story()
const ada = beforehand(() => w.agentWithEmail('ada', 'ada@example.org'))
const bob = beforehand(() => w.agentWithEmail('bob', 'bob@example.org'))
beforehand(async () => {
  await befriend(ada, bob)
  const { id } = await trade(w, ada, bob, 'accepted')
  await ada.post(`/orders/${id}/reviews`, reviewBody('customer'))
  await bob.post(`/orders/${id}/reviews`, reviewBody('contractor'))
})

const nameOf = (id: string | null): string => (id === ada.id ? 'ada' : id === bob.id ? 'bob' : String(id))

const plants: Plants = {
  'an order that nobody counted': [
    (tx) => tx`update reputations set contractor_completed = 0 where party_id = ${bob.id}`,
    ['reputation.orders bob'],
  ],
  'counters that are lost': [
    (tx) => tx`delete from reputations where party_id = ${bob.id}`,
    ['reputation.orders bob', 'reputation.partners bob', 'reputation.rating bob'],
  ],
  'a partner that is lost': [(tx) => tx`delete from partners where role = 'customer'`, ['reputation.partners ada']],
  'a partner of nobody': [
    (tx) => tx`update reputations set contractor_partners = 2 where party_id = ${bob.id}`,
    ['reputation.partners bob'],
  ],
  'a rating that is lost': [(tx) => tx`delete from owner_ratings`, ['reputation.rating bob']],
  'a rating that nobody gave': [
    (tx) => tx`update reputations set rating_sum = 1 where party_id = ${bob.id}`,
    ['reputation.rating bob'],
  ],
  'a rank that nobody has': [(tx) => tx`update ratings set rank = 100000001`, ['reputation.rating bob']],
  'an order between two of one owner that is not marked': [
    (tx) => tx`update party_owners set owner_id = (select owner_id from party_owners where party_id = ${ada.id})`,
    ['reputation.own bob'],
  ],
}

test('a reputation due for recounting is skipped', async () =>
  assert.deepEqual(
    await foundIn(w, nameOf, async (tx) => {
      await tx`update reputations set contractor_completed = 0 where party_id = ${bob.id}`
      await tx`insert into reputations_due (party_id) values (${bob.id})`
    }),
    [],
  ))

testPlants(w, nameOf, plants, [reputationsWalk])
