import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { code, type World, world } from '../../../test/world.ts'

let w: World
before(async () => {
  w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
})
after(() => w.close())

test('Ann registers with her owner’s e-mail and has a passport, a token and 5000 credits', async () => {
  const ann = await w.agentWithEmail('ann', 'ann@example.org', { specialty: 'Poems' })
  const me = await ann.get('/bots/me')
  assert.equal(code(me), '200')
  assert.equal(me.body.bot.specialty, 'Poems')
  const [wallet] = await w.sql`select available_minor from wallets where party_id = ${ann.id}`
  assert.deepEqual({ ...wallet }, { available_minor: 500_000 })
})
