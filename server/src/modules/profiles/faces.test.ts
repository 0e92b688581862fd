// Avatar and character: which images a profile shows, to whom, and what happens to those that it no longer shows.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import type { Purpose } from '../../inspect/formats.ts'
import { hours } from '../../kernel/clock.ts'
import type { Query } from '../../store/sql.ts'
import type { Status } from '../attachments/cards.ts'
import { findAgent } from '../identity/passport.ts'
import { passports } from './passports.ts'

const { w } = story()

const roles = ['avatar', 'character'] as const
type Role = (typeof roles)[number]

const image = (agent: Agent, purpose: Purpose, status: Status = 'ready'): Promise<string> =>
  givenFile(w, agent, { purpose, file_format: 'png', status })

const change = (agent: Agent, fields: object) => agent.patch('/bots/me', fields)
const own = async (agent: Agent) => (await agent.get('/bots/me')).body.bot
const seen = async (viewer: Agent, agent: Agent) => (await viewer.get(`/bots/${agent.id}`)).body.bot
const listed = async (viewer: Agent, agent: Agent) =>
  (await viewer.get(`/bots?q=${agent.handle}`)).body.bots.find(({ id }: { id: string }) => id === agent.id)

/** What holds a file and until when it is kept. */
async function fate(id: string) {
  const [row] = await w.sql<{ active: boolean | null; released: boolean; purge_after: Date | null }>`
    select b.active, b.released_at is not null as released, f.purge_after
    from attachments f left join attachment_bindings b on b.attachment_id = f.id where f.id = ${id}`
  assert.ok(row)
  return row
}

const activeBindings = (agent: Agent) => w.sql<{ role: string; attachment_id: string }>`
  select role, attachment_id from attachment_bindings
  where subject_id = ${agent.id} and kind = 'profile' and active order by role`

test('Ann sets an avatar and a character: her record and cards show the processed images', async () => {
  const ann = await w.agent('ann')
  const bob = await w.agent('bob')
  const avatar = await image(ann, 'avatar')
  const character = await image(ann, 'character')
  const answer = await change(ann, {
    avatar_attachment_id: avatar,
    character_attachment_id: character.toUpperCase(),
    rights_confirmed: true,
  })
  assert.equal(answer.status, 200)
  const { bot } = answer.body
  assert.deepEqual([bot.avatar_attachment_id, bot.character_attachment_id], [avatar, character])
  assert.equal(bot.visuals.avatar.id, avatar)
  assert.equal(bot.visuals.character.purpose, 'character')
  assert.equal(bot.visuals.avatar.preview_url, `/api/v1/attachments/${avatar}/preview`)
  const [file] = await w.sql<{ preview_sha256: Buffer; preview_bytes: number }>`
    select preview_sha256, preview_bytes from attachments where id = ${avatar}`
  assert.deepEqual(
    [bot.visuals.avatar.sha256, bot.visuals.avatar.size, bot.visuals.avatar.mime_type],
    [file?.preview_sha256.toString('hex'), file?.preview_bytes, 'image/jpeg'],
    'the public image, also on your own record',
  )
  for (const key of ['upload_id', 'binding', 'allocated_bytes']) assert.ok(!(key in bot.visuals.avatar), key)

  assert.deepEqual(await own(ann), bot)
  for (const card of [await seen(bob, ann), await listed(bob, ann), await seen(ann, ann)]) {
    assert.deepEqual(card.visuals, bot.visuals)
    assert.deepEqual([card.avatar_attachment_id, card.character_attachment_id], [avatar, character])
  }
  assert.deepEqual((await listed(ann, bob)).visuals, { avatar: null, character: null })
})

test('a replaced or cleared image is released permanently, and deleted a day later', async () => {
  const cleo = await w.agent('cleo')
  const [first, second] = [await image(cleo, 'avatar'), await image(cleo, 'avatar')]
  await change(cleo, { avatar_attachment_id: first, rights_confirmed: true })
  assert.deepEqual(await fate(first), { active: true, released: true, purge_after: null })

  assert.equal((await change(cleo, { avatar_attachment_id: second, rights_confirmed: true })).status, 200)
  const { active, purge_after } = await fate(first)
  assert.equal(active, false)
  assert.ok(purge_after && Math.abs(purge_after.getTime() - w.now().getTime() - hours(24)) < 60_000)
  const again = await change(cleo, { avatar_attachment_id: first, rights_confirmed: true, bio: 'changed' })
  assert.equal(code(again), '409 attachment_already_bound')

  const kept = await own(cleo)
  assert.deepEqual([kept.avatar_attachment_id, kept.bio], [second, null])
  const cleared = await change(cleo, { avatar_attachment_id: null })
  assert.deepEqual([cleared.body.bot.avatar_attachment_id, cleared.body.bot.visuals.avatar], [null, null])
  assert.equal((await fate(second)).active, false)
  assert.equal(code(await change(cleo, { avatar_attachment_id: null })), '200', 'nothing to clear')
  assert.deepEqual(await activeBindings(cleo), [])
})

test('setting the same image again changes nothing and needs no rights', async () => {
  const dan = await w.agent('dan')
  const character = await image(dan, 'character')
  await change(dan, { character_attachment_id: character, rights_confirmed: true })
  const before = await w.sql`select b.*, f.updated_at from attachment_bindings b
    join attachments f on f.id = b.attachment_id where b.subject_id = ${dan.id}`
  for (const fields of [{}, { rights_confirmed: false }, { rights_confirmed: true }]) {
    const answer = await change(dan, { character_attachment_id: character, ...fields })
    assert.deepEqual([answer.status, answer.body.bot.character_attachment_id], [200, character])
  }
  assert.deepEqual(
    await w.sql`select b.*, f.updated_at from attachment_bindings b
      join attachments f on f.id = b.attachment_id where b.subject_id = ${dan.id}`,
    before,
  )
})

test('only your own ready image of that purpose is accepted; otherwise nothing changes', async () => {
  const eve = await w.agent('eve')
  const fay = await w.agent('fay')
  const avatar = await image(eve, 'avatar')
  const worn = await image(eve, 'avatar')
  await change(eve, { avatar_attachment_id: worn, rights_confirmed: true })
  const refused: [string, object][] = [
    ['unknown', { avatar_attachment_id: randomUUID() }],
    ['of another', { avatar_attachment_id: await image(fay, 'avatar') }],
    ['a character as avatar', { avatar_attachment_id: await image(eve, 'character') }],
    ['an avatar as character', { character_attachment_id: avatar }],
    ['the own avatar as character', { character_attachment_id: worn }],
    ['of a portfolio', { avatar_attachment_id: await image(eve, 'portfolio') }],
    ['of an order', { avatar_attachment_id: await image(eve, 'order') }],
    ['one image for both', { avatar_attachment_id: avatar, character_attachment_id: avatar }],
  ]
  for (const status of ['pending', 'rejected', 'retained', 'purging', 'purged'] as const) {
    refused.push([status, { avatar_attachment_id: await image(eve, 'avatar', status) }])
  }
  for (const [what, fields] of refused) {
    const answer = await change(eve, { ...fields, rights_confirmed: true, bio: what })
    assert.equal(code(answer), '404 invalid_attachment', what)
  }
  const bot = await own(eve)
  assert.deepEqual([bot.avatar_attachment_id, bot.character_attachment_id, bot.bio], [worn, null, null])
  assert.deepEqual(await activeBindings(eve), [{ role: 'avatar', attachment_id: worn }])
  assert.equal((await change(eve, { avatar_attachment_id: avatar, rights_confirmed: true })).status, 200)
})

test('an open profile needs confirmed rights for each new image', async () => {
  const gus = await w.agent('gus')
  for (const role of roles) {
    const field = `${role}_attachment_id`
    const [first, second] = [await image(gus, role), await image(gus, role)]
    for (const id of [first, second]) {
      for (const fields of [{}, { rights_confirmed: false }]) {
        const answer = await change(gus, { [field]: id, ...fields })
        assert.equal(code(answer), '400 publication_rights_required')
      }
      assert.equal((await change(gus, { [field]: id, rights_confirmed: true })).body.bot[field], id)
    }
  }
  assert.equal(code(await change(gus, { avatar_attachment_id: null, rights_confirmed: false })), '200')
})

test('a closed profile needs no rights; opening it with an image never shown does', async () => {
  const hal = await w.agent('hal', { profile_public: false })
  const bob = await w.agent('hals_friend')
  const [avatar, character] = [await image(hal, 'avatar'), await image(hal, 'character')]
  const bound = await change(hal, { avatar_attachment_id: avatar })
  assert.equal(bound.body.bot.visuals.avatar.id, avatar, 'its owner sees it')
  assert.deepEqual(await fate(avatar), { active: true, released: false, purge_after: null })

  assert.equal(code(await change(hal, { profile_public: true })), '400 publication_rights_required')
  assert.equal(code(await change(hal, { profile_public: true, bio: 'b' })), '400 publication_rights_required')
  assert.equal((await own(hal)).profile_public, false)
  assert.equal(code(await change(hal, { profile_public: true, rights_confirmed: true })), '200')
  assert.equal((await fate(avatar)).released, true)
  assert.equal((await seen(bob, hal)).visuals.avatar.id, avatar)

  // What was shown once needs no second word; what is new does.
  await change(hal, { profile_public: false })
  assert.equal(code(await change(hal, { profile_public: true })), '200')
  await change(hal, { profile_public: false, character_attachment_id: character })
  assert.equal(code(await change(hal, { profile_public: true })), '400 publication_rights_required')
  assert.equal(code(await change(hal, { profile_public: true, character_attachment_id: null })), '200')
})

test('rights follow the resulting profile: opened or closed in the same request', async () => {
  const ida = await w.agent('ida')
  const avatar = await image(ida, 'avatar')
  assert.equal(code(await change(ida, { profile_public: false, avatar_attachment_id: avatar })), '200')
  const next = await image(ida, 'avatar')
  const opening = { profile_public: true, avatar_attachment_id: next }
  assert.equal(code(await change(ida, opening)), '400 publication_rights_required')
  assert.equal((await own(ida)).avatar_attachment_id, avatar)
  assert.equal(code(await change(ida, { ...opening, rights_confirmed: true })), '200')
})

test('closing or suspending hides the images from the next request on, and the owner keeps them', async () => {
  const jan = await w.agent('jan')
  const kim = await w.agent('kim')
  const avatar = await image(jan, 'avatar')
  await change(jan, { avatar_attachment_id: avatar, rights_confirmed: true })
  const doors = async () => [
    code(await kim.get(`/bots/${jan.id}`)),
    (await listed(kim, jan))?.visuals.avatar?.id,
    code(await kim.get(`/attachments/${avatar}`)),
    code(await w.request('GET', `/attachments/${avatar}`)),
  ]
  const open = ['200', avatar, '200', '200']
  const closed = ['404 not_found', undefined, '404 not_found', '404 not_found']
  const suspend = (is: boolean) => turnSuspended(w, jan.id, is)
  assert.deepEqual(await doors(), open)
  await change(jan, { profile_public: false })
  assert.deepEqual(await doors(), closed)
  assert.equal((await own(jan)).visuals.avatar.id, avatar)
  await change(jan, { profile_public: true })
  assert.deepEqual(await doors(), open)
  await suspend(true)
  assert.deepEqual(await doors(), closed)
  assert.equal((await own(jan)).visuals.avatar.id, avatar)
  await suspend(false)
  assert.deepEqual(await doors(), open)
  await change(jan, { avatar_attachment_id: null })
  assert.deepEqual((await doors()).slice(2), closed.slice(2), 'an image that is no longer worn')
})

test('twenty simultaneous changes leave one image per role: the one on the record', async () => {
  const lea = await w.agent('lea')
  const one = await image(lea, 'avatar')
  const same = await race(20, () => change(lea, { avatar_attachment_id: one, rights_confirmed: true }))
  assert.deepEqual(new Set(same.map(code)), new Set(['200']))
  assert.deepEqual(await activeBindings(lea), [{ role: 'avatar', attachment_id: one }])

  const many = await Promise.all(Array.from({ length: 20 }, (_, n) => image(lea, roles[n % 2] as Role)))
  const answers = await race(20, (n) =>
    change(lea, { [`${roles[n % 2]}_attachment_id`]: many[n], rights_confirmed: true }),
  )
  assert.deepEqual(new Set(answers.map(code)), new Set(['200']))
  const bot = await own(lea)
  assert.deepEqual(await activeBindings(lea), [
    { role: 'avatar', attachment_id: bot.avatar_attachment_id },
    { role: 'character', attachment_id: bot.character_attachment_id },
  ])
  for (const id of [one, ...many]) {
    const worn = id === bot.avatar_attachment_id || id === bot.character_attachment_id
    assert.equal((await fate(id)).purge_after === null, worn)
  }
})

test('two agents compete for one image: its owner gets it', async () => {
  const max = await w.agent('max')
  const nia = await w.agent('nia')
  const avatar = await image(max, 'avatar')
  const answers = await race(20, (n) =>
    change(n % 2 ? max : nia, { avatar_attachment_id: avatar, rights_confirmed: true }),
  )
  answers.forEach((answer, n) => {
    assert.equal(code(answer), n % 2 ? '200' : '404 invalid_attachment')
  })
  assert.equal((await own(nia)).avatar_attachment_id, null)
})

test('the images of a page take one statement, and a page without images takes none', async () => {
  const faces: Agent[] = []
  for (const handle of ['one', 'two', 'three']) {
    const agent = await w.agent(handle)
    for (const role of roles) {
      await change(agent, { [`${role}_attachment_id`]: await image(agent, role), rights_confirmed: true })
    }
    faces.push(agent)
  }
  const plain = await w.agent('plain')
  const rows = await Promise.all([...faces, plain].map(async ({ id }) => findAgent(w.sql, id)))
  const agents = rows.filter((row) => row !== undefined)
  let statements = 0
  const counting: Query = (strings, ...values) => {
    statements++
    return w.sql(strings, ...values)
  }
  const shown = await passports(counting, plain.id, agents)
  assert.equal(statements, 1)
  assert.equal(shown.filter(({ visuals }) => visuals.avatar && visuals.character).length, 3)
  await passports(counting, plain.id, agents.slice(3))
  assert.equal(statements, 1)
})
