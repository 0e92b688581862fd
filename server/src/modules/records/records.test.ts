// What this server says of an agent, signed: it says what the agent's page says and no more, and everyone can check it.
// docs/contract/record.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { verifyRecord } from '@kith/sdk'
import { customer, humanOffer } from '../../../test/customers.ts'
import { toNoon } from '../../../test/noon.ts'
import { bring, type Shown, trade } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { turnHidden } from '../../../test/turning.ts'
import { type Agent, befriend, code, type World, world } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'
import { createLog } from '../../log.ts'
import { deriveSecrets, sha256 } from '../../secrets.ts'
import { canonical } from '../../store/once.ts'
import { keyInUse } from './keys.ts'
import { mostReviews } from './records.ts'

const origin = 'https://kith.example:8443'
const did = 'did:web:kith.example%3A8443'
const hostile = 'Ann "\\" \u0001<b>​ عربى 🤝 ﬀ __proto__'.replace('\u0001', '')

let w: World
let ann: Agent
before(async () => {
  w = await world({ env: { PUBLIC_URL: origin } })
  toNoon(w)
  ann = await w.agent('ann', { display_name: hostile })
})
after(() => w.close())

type Got = Shown
const textOf = async (handle: string, at = w): Promise<string> => {
  const { status, text, headers } = await visit(at.url, `/agents/${handle}/record.json`)
  assert.equal(status, 200, text)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  return text
}
const recordOf = async (handle: string, at = w): Promise<Got> => JSON.parse(await textOf(handle, at))
const didOf = async (at = w): Promise<Got> => JSON.parse((await visit(at.url, '/.well-known/did.json')).text)
const checked = async (text: string) => verifyRecord(text, await didOf(), w.now().getTime())

/** An order that the customer accepted, and what both say of each other. */
async function reviewed(who: Agent, fields: Record<string, unknown> = {}, amount = 1000): Promise<Shown> {
  const order = await trade(w, who, ann, 'accepted', { amount_minor: amount })
  const { body } = await who.post(`/orders/${order.id}/reviews`, reviewBody('customer', fields))
  assert.equal(code(await ann.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))), '201')
  return { order, review: body.review }
}
const friend = async (handle: string): Promise<Agent> => {
  const agent = await w.agent(handle)
  await befriend(agent, ann)
  return agent
}

test("a record matches the agent's page word for word, and is signed", async () => {
  const [bob, kin] = [await friend('bob'), await friend('kin')]
  const owner = randomUUID()
  await w.sql`insert into party_owners (party_id, owner_id) values (${ann.id}, ${owner}), (${kin.id}, ${owner})`
  await givenPost(ann, { title: 'A work', visibility: 'public' })
  await givenPost(ann, { title: 'A private one', visibility: 'private' })
  const said = await reviewed(bob, { rating: 4, text: 'Quick\n"and" \\good\u2028 🤝 constructor' })
  await w.operator('reviews', 'approve', said.review.id)
  await reviewed(bob, { rating: 1, text: 'Not read by anyone yet' })
  await reviewed(bob, { rating: 5 }, 1)
  await reviewed(kin)
  const lost = await trade(w, bob, ann, 'escalated')
  await w.operator('disputes', 'decide', lost.id, 'refund', '--reason', 'Not what was ordered')
  const dora = await customer(w, 'dora')
  const ordered = await bring({ customer: dora, contractor: ann }, await humanOffer(w, dora, ann), 'accepted')
  assert.equal(code(await dora.post(`/human/orders/${ordered.id}/reviews`, reviewBody('customer'))), '201')
  // Hers is not revealed before she says something of him, or a week has passed.
  const bought = await trade(w, ann, bob, 'accepted')
  assert.equal(code(await bob.post(`/orders/${bought.id}/reviews`, reviewBody('contractor', { rating: 2 }))), '201')

  const text = await textOf('ann')
  const record = JSON.parse(text)
  const card = JSON.parse((await visit(w.url, '/agents/ann.json')).text).bot
  const listed = (await bob.get(`/bots/${ann.id}/reviews`)).body.reviews
  assert.equal(listed.length, 4)
  const { validFrom, proof, credentialSubject: subject, ...rest } = record
  const from = new Date(validFrom)
  assert.deepEqual(rest, {
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/undefined-terms/v2'],
    type: ['VerifiableCredential', 'AgentRecord'],
    issuer: did,
    description: `What ${origin} says about its agent @ann. It does not say that the reviewers are honest.`,
    validUntil: new Date(from.getTime() + days(90)).toISOString(),
  })
  assert.ok(w.now() >= from && w.now().getTime() - from.getTime() < days(1), validFrom)
  const orders: Record<string, string> = Object.fromEntries(
    (await w.sql<{ id: string; order_id: string }>`select id, order_id from reviews`).map((row) => [
      row.id,
      row.order_id,
    ]),
  )
  assert.deepEqual(subject, {
    id: `${origin}/agents/ann`,
    type: 'Agent',
    passport_id: ann.id,
    handle: 'ann',
    display_name: hostile,
    encryption_public_key: ann.publicKey,
    fingerprint: sha256(Buffer.from(ann.publicKey, 'base64')).toString('hex'),
    registered_at: card.created_at,
    // Two for Bob, one for Dora, one as his customer; one of a hundredth and her owner's own count nowhere.
    orders_completed: 4,
    disputes_lost: 1,
    works: 1,
    reviews: listed.map(({ id, rating, text, created_at, author, same_owner }: Shown) => ({
      rating,
      text,
      created_at,
      author,
      order_digest: sha256(`${ann.id}:${orders[id]}`).toString('hex'),
      ...(same_owner && { same_owner }),
    })),
  })
  assert.deepEqual(
    [card.stats.as_contractor.completed, card.stats.as_customer.completed, card.stats.as_contractor.disputes_lost],
    [3, 1, 1],
  )
  assert.equal(subject.reviews.filter(({ text }: Shown) => text !== null).length, 1, 'texts once they are approved')
  assert.equal(subject.reviews.filter(({ same_owner }: Shown) => same_owner).length, 1)

  const document = await didOf()
  const [method] = document.verificationMethod
  assert.deepEqual(document, {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: [
      {
        id: proof.verificationMethod,
        type: 'Multikey',
        controller: did,
        publicKeyMultibase: method.publicKeyMultibase,
      },
    ],
    assertionMethod: [proof.verificationMethod],
  })
  assert.equal(proof.verificationMethod, `${did}#${method.publicKeyMultibase}`)
  assert.match(method.publicKeyMultibase, /^z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/)
  assert.deepEqual(
    [proof.type, proof.cryptosuite, proof.proofPurpose, proof.created],
    ['DataIntegrityProof', 'eddsa-jcs-2022', 'assertionMethod', validFrom],
  )
  const found = await checked(text)
  assert.deepEqual([found.verdict, found.fingerprint], ['valid', sha256(text).toString('hex')])
  const changed = text.replace('"orders_completed":4', '"orders_completed":5')
  assert.equal((await checked(changed)).verdict, 'altered')

  const page = (await visit(w.url, '/agents/ann/record')).text
  assert.match(page, /<meta property="og:title" content="[^"]+">/)
  for (const shown of [found.fingerprint as string, did, method.publicKeyMultibase, subject.fingerprint])
    assert.ok(page.includes(shown), shown)
  assert.match((await visit(w.url, '/agents/ann')).text, /href="\/agents\/ann\/record"/)
  const russian = (
    await visit(w.url, '/agents/ann/record', { headers: { accept: 'text/html', 'accept-language': 'ru' } })
  ).text
  assert.ok(russian.includes('Подписанная справка') && russian.includes(found.fingerprint as string))
})

test('a copy can be checked: the same bytes all day, new ones once anything is hidden', async () => {
  const eve = await friend('eve')
  const { review } = await reviewed(eve, { rating: 3, text: 'To be removed' })
  await w.operator('reviews', 'approve', review.id)
  const ask = (tag = '') => visit(w.url, '/agents/ann/record.json', { headers: { 'if-none-match': tag } })
  const first = await ask()
  const { etag } = first.headers
  assert.equal(first.headers['cache-control'], 'public, max-age=0, must-revalidate')
  assert.ok(first.text.includes('To be removed'))
  assert.equal((await ask(etag)).status, 304)
  await turnHidden(w, 'review', review.id, true)
  const second = await ask(etag)
  assert.equal(second.status, 200)
  assert.ok(!second.text.includes('To be removed'))
  assert.equal((await checked(second.text)).verdict, 'valid')
  await turnHidden(w, 'review', review.id, false)
  assert.equal((await ask()).text, first.text, 'the same again')

  // Her author's profile closes: who wrote it is no longer public.
  const byEve = async () => (await recordOf('ann')).credentialSubject.reviews[0].author
  assert.equal((await byEve()).handle, 'eve')
  assert.equal((await eve.patch('/bots/me', { profile_public: false })).status, 200)
  assert.equal(await byEve(), null)

  assert.equal((await ann.patch('/bots/me', { profile_public: false })).status, 200)
  assert.equal((await ask(etag)).status, 404, 'also to who has a copy')
  assert.equal((await ann.patch('/bots/me', { profile_public: true })).status, 200)
})

test('all nodes sign alike, and create one key between them', async () => {
  const nodes = [await w.node(), await w.node()]
  const texts = await Promise.all([w, ...nodes].map((node) => textOf('ann', node)))
  assert.equal(new Set(texts).size, 1, 'byte for byte')
  const documents = await Promise.all([w, ...nodes].map(didOf))
  assert.ok(documents.every((each) => JSON.stringify(each) === JSON.stringify(documents[0])))
  // Another process rotates: every node signs with the new key from the next request on.
  await w.operator('keys', 'rotate', '--reason', 'Olga has left')
  const after = await Promise.all([w, ...nodes].map((node) => textOf('ann', node)))
  assert.equal(new Set(after).size, 1)
  assert.notEqual(
    JSON.parse(after[0] as string).proof.verificationMethod,
    JSON.parse(texts[0] as string).proof.verificationMethod,
  )
})

test("after a rotation the old key's signatures stay valid, later ones do not, and its secret is gone", async () => {
  const former = await textOf('ann')
  const stolen = await keyInUse(w.sql, w.service.secrets)
  const known = (await didOf()).verificationMethod.length
  const { json, text } = await w.operator('keys', 'rotate', '--reason', 'A copy of the disk is lost')
  const { key, retired, audit } = json as Shown
  assert.equal(text, `Records are signed with ${key} from now on; ${retired} is retired`)
  assert.deepEqual(
    [audit.action, audit.subject, audit.reason, audit.details],
    ['keys.rotate', key, 'A copy of the disk is lost', { retired }],
  )
  const document = await didOf()
  assert.equal(document.verificationMethod.length, known + 1)
  const [inUse, last] = document.verificationMethod
  assert.deepEqual([inUse.publicKeyMultibase, last.publicKeyMultibase], [key, retired])
  assert.equal(inUse.revoked, undefined)
  // The operator's command has the machine's clock.
  assert.match(last.revoked, /^\d{4}-\d\d-\d\dT/)
  assert.equal(document.assertionMethod.length, known + 1)
  const rows = await w.sql`select 1 from record_keys where salt is not null`
  assert.equal(rows.length, 1, 'of a retired key nothing is kept that could sign')
  assert.equal(JSON.parse(await textOf('ann')).proof.verificationMethod, `${did}#${key}`)
  assert.equal((await checked(former)).verdict, 'valid')

  const forged = JSON.parse(former)
  const { proofValue: _, ...config } = forged.proof
  delete forged.proof
  config.created = new Date(new Date(last.revoked).getTime() + 1).toISOString()
  const signature = stolen.sign(Buffer.concat([sha256(canonical(config)), sha256(canonical(forged))]))
  const { multibase } = await import('./multibase.ts')
  const late = JSON.stringify({ ...forged, proof: { ...config, proofValue: multibase(signature) } })
  assert.equal((await checked(late)).verdict, 'retired_key')

  const listed = await w.operator('keys', 'list')
  const { keys } = listed.json as Shown
  assert.deepEqual(keys.map(({ multikey }: Shown) => multikey).slice(0, 2), [key, retired])
  assert.match(listed.text, /^Key +Made +Retired\nz6Mk\S+ {2}.* ago +in use\nz6Mk/)

  // At once they take turns; none is lost.
  await Promise.all(Array.from({ length: 5 }, () => w.operator('keys', 'rotate', '--reason', 'again')))
  assert.equal((await didOf()).verificationMethod.filter(({ revoked }: Shown) => !revoked).length, 1)
  assert.equal((await didOf()).verificationMethod.length, known + 6)
  for (const reason of ['', 'x'.repeat(2001)])
    await assert.rejects(w.operator('keys', 'rotate', '--reason', reason), { name: 'Error' })
  await assert.rejects(keyInUse(w.sql, deriveSecrets('another secret key, of enough characters')), /SECRET_KEY is not/)
})

test('under a new PUBLIC_URL records name the new address; older ones verify with the older document', async () => {
  const [former, document] = [await textOf('ann'), await didOf()]
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { to: { write: (line) => void lines.push(JSON.parse(line)) } })
  const moved = await world({
    databaseUrl: w.databaseUrl,
    dataDir: w.dataDir,
    offset: w.now().getTime() - Date.now(),
    env: { PUBLIC_URL: 'https://kith.new' },
    log,
  })
  try {
    const told = lines.filter(({ msg }) => String(msg).startsWith('PUBLIC_URL has changed'))
    assert.deepEqual(
      told.map((each) => [each['level'], each['former'], each['issuer']]),
      [['warn', did, 'did:web:kith.new']],
    )
    const record = await recordOf('ann', moved)
    assert.deepEqual([record.issuer, record.credentialSubject.id], ['did:web:kith.new', 'https://kith.new/agents/ann'])
    const now = w.now().getTime()
    assert.equal(verifyRecord(canonical(record), await didOf(moved), now).verdict, 'valid')
    assert.equal(verifyRecord(former, await didOf(moved), now).verdict, 'unknown_key')
    assert.equal(verifyRecord(former, document, now).verdict, 'valid')
    assert.equal((await didOf(moved)).verificationMethod.length, document.verificationMethod.length, 'the same keys')
  } finally {
    await moved.running.stop()
    await moved.sql.end()
  }
})

test('a record has the newest reviews up to a limit, and states their total', async () => {
  const fay = await friend('fay')
  const { order } = await reviewed(fay)
  const copies = mostReviews
  const planted = await w.sql<{ id: string }>`
    insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
    from orders o, generate_series(1, ${copies}) where o.id = ${order.id} returning id`
  const ids = planted.map(({ id }) => id)
  await w.sql`
    insert into reviews select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'order_id', o.id))).*
    from reviews r, orders o where r.order_id = ${order.id} and r.author_id = ${fay.id} and o.id = any(${ids}::uuid[])`
  const text = await textOf('ann')
  const { description, credentialSubject } = JSON.parse(text)
  assert.equal(credentialSubject.reviews.length, mostReviews)
  assert.match(description, new RegExp(`It has the newest ${mostReviews} of 1\\d\\d reviews\\.$`))
  assert.equal((await checked(text)).verdict, 'valid')
  await w.sql`delete from reviews where order_id = any(${ids}::uuid[])`
  await w.sql`delete from orders where id = any(${ids}::uuid[])`
})

test('a record is valid for 90 days, and a new record starts another 90', async () => {
  const text = await textOf('ann')
  w.travel(days(1))
  const later = await textOf('ann')
  assert.ok(JSON.parse(later).validUntil > JSON.parse(text).validUntil)
  w.travel(days(89))
  assert.deepEqual([(await checked(text)).verdict, (await checked(later)).verdict], ['expired', 'valid'])
})
