// Faults planted in the accounts of customers, each in a transaction of its own, and what the verification says of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Plants } from '../../test/planted.ts'
import { testPlants } from '../../test/planting.ts'
import { beforehand, story } from '../../test/story.ts'
import { walks } from '../app/modules.ts'
import { closeAccount } from '../modules/humans/closing.ts'
import { humansWalk } from '../modules/humans/verify.ts'
import { verify } from './verify.ts'

let hilda: string
let gone: string
const poor = randomUUID()

const { w } = story()
beforehand(async () => {
  hilda = (await w.human('Hilda')).id
  gone = (await w.human('Gus')).id
  await w.service.sql.transaction((tx) => closeAccount(tx, w.service, gone))
})

const nameOf = (id: string | null): string =>
  ({ [hilda]: 'hilda', [gone]: 'gone', [poor]: 'poor' })[id ?? ''] ?? String(id)

test('everything is looked at', async () => {
  assert.equal((await verify(w.sql, walks)).seen['humans'], 2)
})

const plants: Plants = {
  'a customer who is an agent': [
    (tx) => tx`update parties set kind = 'agent' where id = ${hilda}`,
    ['human.party hilda'],
  ],
  'an open account without its email': [
    (tx) => tx`update humans set email = null, grant_digest = null where id = ${hilda}`,
    ['human.closed hilda'],
  ],
  'a closed account with an email': [
    (tx) => tx`
      update humans set email = 'gus@example.org', grant_digest = (select min(email_digest::text)::bytea from customer_grants)
      where id = ${gone}`,
    ['human.closed gone'],
  ],
  'a grant that nobody wrote down': [
    (tx) => tx`update humans set grant_digest = null where id = ${hilda}`,
    ['human.grant hilda'],
  ],
  'the grant of an email that is gone': [
    (tx) =>
      tx`update humans set grant_digest = (select grant_digest from humans where id = ${hilda}) where id = ${gone}`,
    ['human.grant gone'],
  ],
  'a customer without a wallet': [
    async (tx) => {
      await tx`insert into parties (id, kind, created_at) values (${poor}, 'human', ${w.now()})`
      await tx`
        insert into humans (id, display_name, created_at, closed_at) values (${poor}, 'Poor', ${w.now()}, ${w.now()})`
    },
    ['human.wallet poor'],
  ],
  'a browser that a closed account still has': [
    (tx) => tx`update human_sessions set ended_at = null where human_id = ${gone}`,
    ['human.sessions gone'],
  ],
  'a suspension by a case of another kind': [
    async (tx) => {
      await tx`
        insert into moderation_cases (id, subject_kind, subject_id, owner_id, status, measure, reason_code, reason, created_at,
          updated_at, decided_at)
        values (${poor}, 'profile', ${hilda}, ${hilda}, 'approved', 'content', 'ok', 'x', ${w.now()}, ${w.now()}, ${w.now()})`
      await tx`update humans set suspended_at = ${w.now()}, suspension_case_id = ${poor} where id = ${hilda}`
    },
    ['human.suspended hilda'],
  ],
}

testPlants(w, nameOf, plants, [humansWalk])
