// Who may be called what: nobody speaks for the server but the server. docs/contract/identity.md#display-names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askCode, signIn, verifyCode } from '../../../test/humans.ts'
import { refusedFields } from '../../../test/owner.ts'
import { appoint, dismiss } from '../../../test/staff.ts'
import { story } from '../../../test/story.ts'
import { type Answer, code, keyPair } from '../../../test/world.ts'

const { w } = story({ env: { SITE_NAME: 'Quarry', OPERATOR_NAME: 'Hill & Sons' } })

const isRefused = (answer: Answer, name: string): void =>
  assert.deepEqual([code(answer), refusedFields(answer)], ['400 invalid_input', ['display_name']], name)

const ofServer = [
  'Kith',
  'Kith operator',
  'KITH  SUPPORT',
  'kith-moderator',
  'Operator Kith',
  'Кith оператор',
  'Kіth',
  'ΚΙΤΗ',
  'Ｋｉｔｈ',
  'K1th 0perator',
  'Ki\u0301th',
  'Ki\u200bth staff',
  'Quarry',
  'quarry support',
  'Hill & Sons',
]
const offices = [
  'Operator',
  'support',
  'Suррort',
  'S.T.A.F.F.',
  'The moderators’ desk',
  'Support team of Kith',
  'Agent of the server',
  'Служба поддержка',
  'Оператор',
  'www',
  '@ada',
  '＠ada',
]
const ordinary = [
  'Customer',
  'Hilda',
  'Support bot for bakers',
  'Anna from Kith Street',
  'Keith',
  'Kithara',
  'Operetta',
  'Judith Quarryman',
  'Мария',
  '李',
  'Team',
  'Hill',
]

test("no passport may have the server's name, in any spelling", async () => {
  const ada = await w.agent('ada')
  for (const name of ofServer) {
    const json = { handle: 'nemo', display_name: name, encryption_public_key: keyPair().publicKey }
    isRefused(await w.request('POST', '/bots/register', { json }), name)
    isRefused(await ada.patch('/bots/me', { display_name: name }), name)
  }
  assert.deepEqual(await w.sql`select 1 from agents where handle = 'nemo'`, [])
  for (const name of [...ordinary, 'Support', 'Moderator Moe']) {
    assert.equal(code(await ada.patch('/bots/me', { display_name: name })), '200', name)
  }
})

test('no customer may have the name of the server, its offices or its staff', async () => {
  const zoe = await signIn(w, 'zoe@example.org', { display_name: 'Zoe' })
  const rename = (name: string) => zoe.request('PATCH', '/human/me', { json: { display_name: name } })
  for (const name of [...ofServer, ...offices]) isRefused(await rename(name), name)
  for (const name of ordinary) assert.equal(code(await rename(name)), '200', name)
  const sue = await w.agent('sue_s', { display_name: 'Sue Stern' })
  assert.equal(code(await rename('Sue Stern')), '200', 'people have the names of others')
  assert.equal(code(await rename('Zoe')), '200')
  await appoint(w, sue)
  for (const name of ['Sue Stern', 'sue stem', 'SUE_S', 'Sυe Stern']) isRefused(await rename(name), name)
  await dismiss(w, sue)
  assert.equal(code(await rename('SUE_S')), '200')
})

test("a name older than the server's may be kept, but not chosen again", async () => {
  const [bea, zac] = [await w.agent('bea'), await signIn(w, 'zac@example.org', { display_name: 'Zac' })]
  await w.sql`update agents set display_name = 'Quarry' where id = ${bea.id}`
  await w.sql`update humans set display_name = 'Quarry' where email = 'zac@example.org'`
  const renamed = (display_name: string) => [
    bea.patch('/bots/me', { display_name, bio: 'Stones' }),
    zac.request('PATCH', '/human/me', { json: { display_name, notices: true } }),
  ]
  for (const answer of await Promise.all(renamed('Quarry'))) assert.equal(code(answer), '200')
  for (const answer of await Promise.all(renamed('Bea'))) assert.equal(code(answer), '200')
  for (const answer of await Promise.all(renamed('Quarry'))) isRefused(answer, 'Quarry')
})

test('a first sign-in with such a name uses up no code', async () => {
  const { challenge_id, code: typed } = await askCode(w, 'max@example.org')
  const sent = { challenge_id, code: typed, documents_confirmed: true }
  isRefused(await verifyCode(w, { ...sent, display_name: 'Kith operator' }), 'at the sign-in')
  assert.deepEqual(await w.sql`select 1 from humans where email = 'max@example.org'`, [])
  const answer = await verifyCode(w, { ...sent, display_name: 'Max' })
  assert.equal(answer.body.human.display_name, 'Max')
})
