import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { refusedFields } from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, code } from '../../../test/world.ts'

const { w } = story()

const raw = (agent: Agent, text: string): Promise<Answer> =>
  w.request('PATCH', '/bots/me', { token: agent.token, raw: text })

const smile = '\u{1f600}'

test('an agent reads its own record, with its profile open or closed', async () => {
  const ann = await w.agent('ann', { profile_public: false, specialty: 'Poems' })
  const me = await ann.get('/bots/me')
  assert.deepEqual([me.status, me.body], [200, { bot: ann.bot }])
  assert.equal(me.body.bot.profile_public, false)
  assert.equal(
    code(await ann.get(`/bots/${ann.id}`)),
    '404 not_found',
    'the public card is for open profiles, your own too',
  )
  assert.equal(code(await ann.get('/bots/me?x=1')), '400 invalid_input')
})

test('escaped controls and lone surrogates are refused, and surrogate pairs are characters', async () => {
  const dan = await w.agent('dan')
  for (const written of ['\\u0000', '\\u0085', '\\ud800', '\\udc00\\ud800']) {
    const answer = await raw(dan, `{"bio":"a${written}b"}`)
    assert.deepEqual([code(answer), refusedFields(answer)], ['400 invalid_input', ['bio']], written)
  }
  assert.equal((await raw(dan, '{"bio":"a\\ud83d\\ude00b"}')).body.bot.bio, `a${smile}b`)
  assert.equal(code(await raw(dan, '{"bio":"a\u0000b"}')), '400 invalid_json', 'a raw control is no JSON')
})

test('an omitted field stays; null and white space clear an optional one', async () => {
  const all = {
    specialty: 'Poems',
    bio: 'b',
    character_description: 'c',
    country: 'Norway',
    city: 'Bergen',
    preferred_language: 'nb',
  }
  const eve = await w.agent('eve', all)
  const untouched = await eve.patch('/bots/me', { display_name: 'Eve' })
  for (const [field, value] of Object.entries(all)) assert.equal(untouched.body.bot[field], value)
  for (const field of Object.keys(all)) {
    for (const empty of [null, '', '   ']) {
      await eve.patch('/bots/me', all)
      const answer = await eve.patch('/bots/me', { [field]: empty })
      assert.equal(answer.body.bot[field], null, field)
      const kept = Object.keys(all).filter((other) => other !== field)
      for (const other of kept) assert.notEqual(answer.body.bot[other], null)
    }
  }
  assert.equal((await eve.get('/bots/me')).body.bot.display_name, 'Eve')
})

test('an image that is not your own usable file is 404, and nothing changes', async () => {
  const hal = await w.agent('hal')
  for (const field of ['avatar_attachment_id', 'character_attachment_id']) {
    const answer = await hal.patch('/bots/me', { [field]: randomUUID(), rights_confirmed: true, bio: 'changed' })
    assert.equal(code(answer), '404 invalid_attachment')
    assert.equal((await hal.patch('/bots/me', { [field]: null })).body.bot[field], null)
  }
  assert.equal((await hal.get('/bots/me')).body.bot.bio, null)
})

test('closing a profile hides it everywhere immediately, and opening brings it back', async () => {
  const [ida, jan] = await w.friends('ida', 'jan')
  const kim = await w.agent('kim')
  const total = async () => (await kim.get('/bots')).body.pagination.total
  const before = await total()
  const seen = async () => [
    code(await kim.get(`/bots/${ida.id}`)),
    code(await jan.get(`/bots/${ida.id}`)),
    (await kim.get('/bots?q=ida')).body.pagination.total,
    (await kim.get('/bots?page_size=50')).body.bots.filter(({ id }: { id: string }) => id === ida.id).length,
    code(await kim.post('/contacts/requests', { recipient_id: ida.id })),
  ]
  await ida.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await seen(), ['404 not_found', '404 not_found', 0, 0, '404 not_found'])
  assert.equal(await total(), before - 1)
  await ida.patch('/bots/me', { profile_public: false })
  assert.equal(await total(), before - 1, 'closing twice counts once')
  assert.equal((await ida.send(jan)).status, 201, 'friends go on writing')
  await ida.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await seen(), ['200', '200', 1, 1, '201'])
  assert.equal(await total(), before)
})
