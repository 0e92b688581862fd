// The form by which a customer orders work: its price before it is agreed to, each entry on both sides of its limits, and files.
// docs/contract/site.md#ordering.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { jpeg } from '../../../test/corpus.ts'
import { type Customer, customer, humanOffer } from '../../../test/customers.ts'
import { givenFile } from '../../../test/files.ts'
import { bring, money } from '../../../test/orders.ts'
import { asBrowser, assertPage, hostile, leadsInOtherLanguage, type PageAnswer, visit } from '../../../test/pages.ts'
import { type Fields, fieldsOf, filled, type Reader, readable, reader, type Typed } from '../../../test/reader.ts'
import { published } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'

const { w } = story()
const hilda = beforehand(() => customer(w, 'Hilda'))
beforehand(() => w.agent('bob', { display_name: 'Bob' }))
const pages = beforehand(() => reader(w, hilda.headers.cookie))

const path = '/orders/new'
const good = { title: 'A portrait', description: 'Of a cat', amount: '100', deadline: '2099-01-01T12:00' }

const open = (): Promise<PageAnswer> => pages.get(`${path}?contractor=bob`)
const ordersOf = async (who = hilda): Promise<number> => (await who.get('/human/orders')).body.pagination.total

/** Sends the form as it is opened, with what was typed. */
async function typed(fields: Typed): Promise<PageAnswer> {
  const sent = await pages.send(await open(), path, { ...good, ...fields })
  if (sent.status === 303) return sent
  assertPage(sent.text, w.service)
  assert.equal(leadsInOtherLanguage(sent.text), '/orders/new?contractor=bob')
  return sent
}

const says = (shown: PageAnswer, ...words: string[]): void => {
  const text = readable(shown)
  for (const word of words) assert.ok(text.includes(word), `${word}: ${text}`)
}
const saysNot = (shown: PageAnswer, word: string): void => assert.ok(!readable(shown).includes(word), word)

test('beside the reward are the prices of the agent’s services', async () => {
  const una = await w.agent('una', { display_name: 'Una' })
  const shown = () => pages.get(`${path}?contractor=una`)
  says(await shown(), 'for example 10 or 12.50')
  saysNot(await shown(), 'Its own prices')
  const service = await published(una, { title: `A map ${hostile}` })
  const form = await shown()
  assertPage(form.text, w.service)
  says(form, 'Its own prices: A map')
  assert.ok(form.text.includes(`href="/services/${service.id}"`))
})

describe('the price', () => {
  for (const [amount, minor] of [
    ['0.01', 1],
    ['100', 10_000],
    ['0100,5', 10_050],
    ['1 000.25', 100_025],
    ['9090909090.90', 909_090_909_090],
  ] as const) {
    test(`of ${amount} is shown before confirmation`, async () => {
      const total = minor + Math.floor((minor * 1000 + 5000) / 10_000)
      const shown = await typed({ amount })
      assert.equal(shown.status, 200)
      assert.match(shown.text, new RegExp(`name="confirmed_total_minor" value="${total}"`))
      assert.equal(await ordersOf(), 0)
    })
  }
  for (const amount of [
    '',
    '0',
    '0.00',
    '0.001',
    '-1',
    '+1',
    '1e3',
    '1,000',
    '1.2.3',
    '９',
    '9090909090.92',
    '1'.repeat(13),
  ]) {
    test(`“${amount}” is not an amount`, async () => {
      for (const confirmed of [undefined, '11000']) {
        const shown = await typed({ amount, confirmed_total_minor: confirmed })
        assert.equal(shown.status, 400)
        says(shown, 'Enter an amount of at least 0.01')
        assert.doesNotMatch(shown.text, /name="confirmed_total_minor"/)
      }
    })
  }

  test('must be confirmed exactly: another amount shows its own price, and orders nothing', async () => {
    for (const confirmed of ['11000', '0', 'x', '-22000', '22001']) {
      const shown = await typed({ amount: '200', confirmed_total_minor: confirmed })
      assert.equal(shown.status, 409)
      says(shown, 'The amount was changed after its price was shown', 'Order for 220.00 test credits')
    }
    assert.equal(await ordersOf(), 0)
  })

  test('beyond the balance shows a warning first', async () => {
    says(await typed({ amount: '5000' }), 'This is more than you have')
    saysNot(await typed({ amount: '4545.45' }), 'This is more than you have')
  })
})

describe('a field', () => {
  const cases: [keyof typeof good, string, readonly string[], readonly string[]][] = [
    [
      'title',
      'Enter one line of 1 to 160',
      ['', ' ', '😀'.repeat(161), 'a\nb', 'a\u0000'],
      ['x', '😀'.repeat(160), hostile],
    ],
    ['description', 'Describe the work', ['', ' \r\n ', '😀'.repeat(8001)], ['x', '😀'.repeat(8000), hostile]],
    [
      'deadline',
      'Enter a date and time in the future',
      ['', 'tomorrow', '2001-01-01T00:00', '2099-13-01T00:00', '2099-02-30T12:00'],
      ['2099-01-01T12:00:30', '2099-01-01T12:00Z', '2099-01-01T12:00+03:00'],
    ],
  ]
  for (const [name, told, wrong, right] of cases) {
    test(`${name}: an invalid value is explained beside it, and the input is kept`, async () => {
      for (const value of wrong) {
        for (const confirmed of [undefined, '11000']) {
          const shown = await typed({ [name]: value, confirmed_total_minor: confirmed })
          assert.equal(shown.status, 400, JSON.stringify(value))
          says(shown, told)
          const kept = new Map(fieldsOf(shown, path))
          if (name !== 'deadline') assert.equal(kept.get(name), value)
          for (const other of ['title', 'description', 'amount'] as const) {
            if (other !== name) assert.equal(kept.get(other), good[other])
          }
        }
      }
      for (const value of right) {
        const shown = await typed({ [name]: value })
        assert.equal(shown.status, 200, JSON.stringify(value))
        says(shown, 'Order for 110.00 test credits')
      }
    })
  }

  test('an input too large for any form is 413', async () => {
    assert.equal((await typed({ description: 'x'.repeat(300_000) }).catch(() => ({ status: 413 }))).status, 413)
  })
})

test('a form submitted twenty times at once is one order; from two tabs, two', async () => {
  const before = await ordersOf()
  const [available] = await money(hilda)
  const form = await open()
  const ordered = { ...good, confirmed_total_minor: '11000' }
  const sent = await Promise.all(Array.from({ length: 20 }, () => pages.send(form, path, ordered)))
  assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([303]))
  assert.equal(new Set(sent.map(({ headers }) => headers.location)).size, 1)
  const other = await pages.send(await open(), path, ordered)
  assert.notEqual(other.headers.location, sent[0]?.headers.location)
  assert.equal(await ordersOf(), before + 2)
  assert.deepEqual(await money(hilda), [available, 0])
  const changed = await pages.send(form, path, { ...ordered, title: 'Another' })
  assert.equal(changed.status, 409)
  says(changed, 'This form was already sent with different content')
})

test('the reward is explained by what others paid, once enough did, and by no single price', async () => {
  const [eva, fred] = [await w.agent('eva'), await w.agent('fred')]
  const of = async (handle: string) => readable(await pages.get(`${path}?contractor=${handle}`))
  const paid = async (who: Customer, amount: number, agent = eva) =>
    bring({ customer: who, contractor: agent }, await humanOffer(w, who, agent, { amount_minor: amount }), 'accepted')
  const [one, two, three] = [await customer(w, 'One'), await customer(w, 'Two'), await customer(w, 'Three')]
  for (const amount of [1000, 2000, 3000, 4000, 5000]) await paid(one, amount)
  await paid(two, 6000)
  assert.match(await of('eva'), /for example 10 or 12\.50/)
  assert.doesNotMatch(await of('eva'), /half paid/, 'of two owners')
  await paid(three, 90)
  assert.doesNotMatch(await of('eva'), /half paid/, 'less than a credit counts nowhere')
  await paid(three, 7000)
  assert.match(await of('eva'), /Of the last 7 orders that eva completed, half paid 20\.00 test credits to 60\.00 test/)
  assert.match(await of('fred'), /Of the last 7 orders completed on this server, half paid 20\.00 test credits to 60/)
  for (let each = 0; each < 4; each++) await paid(one, 100_000, fred)
  assert.match(
    await of('fred'),
    /completed on this server, half paid 30\.00 test credits to 1,000\.00/,
    'too few of its own',
  )
  const gil = await w.agent('gil')
  for (const who of [one, one, one, two, three]) await paid(who, 1000, gil)
  assert.match(await of('gil'), /Of the last 5 orders that gil completed, at least half paid 10\.00 test credits\./)
})

test('a suspended customer is told before typing, and orders nothing', async () => {
  const karl = await customer(w, 'Karl')
  const own = reader(w, karl.headers.cookie)
  const form = await own.get(`${path}?contractor=bob`)
  const says = (page: PageAnswer) => /Your account is suspended, so/.test(readable(page))
  assert.ok(!says(form))
  await w.operator('customer', 'suspend', karl.id, '--reason', 'Never pays')
  const told = await own.get(`${path}?contractor=bob`)
  assertPage(told.text, w.service)
  assert.ok(says(told) && told.text.includes('<a href="/account">'))
  const sent = await own.send(form, path, { ...good, confirmed_total_minor: '11000' })
  assert.equal(sent.status, 403)
  assert.ok(says(sent))
  assert.equal(await ordersOf(karl), 0)
})

test('an agent that takes no orders has no form: 404', async () => {
  await w.agent('cid', { profile_public: false })
  const dan = await w.agent('dan')
  const form = await pages.get(`${path}?contractor=dan`)
  await turnSuspended(w, dan.id, true)
  const nobody = ['nobody', 'Bob', 'cid', 'dan', '', '__proto__', `${hostile}`]
  for (const handle of nobody) {
    assert.equal((await pages.get(`${path}?${new URLSearchParams({ contractor: handle })}`)).status, 404, handle)
    const sent = await pages.send(form, path, { ...good, contractor: handle, confirmed_total_minor: '11000' })
    assert.equal(sent.status, 404, handle)
  }
  assert.equal((await pages.get(path)).status, 404)
  assert.equal((await pages.get(`${path}?contractor=bob&contractor=bob`)).status, 404)
})

describe('files', () => {
  interface Sending {
    bytes?: Buffer
    as?: Reader
    typed?: Typed
    cookie?: string
    origin?: string
    /** Where the file stands among the parts. */
    isFirst?: boolean
    at?: string
    /** How long the whole is said to be. */
    length?: number
  }

  /** Adds a file to the form of a page, as its button does. */
  async function add(page: PageAnswer, sending: Sending = {}): Promise<PageAnswer> {
    const { bytes = Buffer.alloc(0), typed = {}, cookie = hilda.headers.cookie, isFirst = false, length } = sending
    const fields: Fields = filled(fieldsOf(page, path), { file: undefined, ...typed })
    const form = new FormData()
    const file = new File([new Uint8Array(bytes)], `${hostile}.jpg`)
    if (isFirst) form.append('file', file)
    for (const [name, value] of fields) form.append(name, value)
    if (!isFirst) form.append('file', file)
    const request = new Request(w.url, { method: 'POST', body: form })
    return visit(sending.at ?? w.url, `${path}/files`, {
      method: 'POST',
      headers: {
        ...asBrowser,
        cookie,
        origin: sending.origin ?? w.service.publicUrl,
        'content-type': request.headers.get('content-type') as string,
        ...(length !== undefined && { 'content-length': String(length) }),
      },
      body: Buffer.from(await request.arrayBuffer()),
    })
  }
  const unbound = async (): Promise<number> => (await hilda.get('/human/attachments')).body.pagination.total
  const boxes = (page: PageAnswer): [id: string, isTicked: boolean][] =>
    [...page.text.matchAll(/type="checkbox" value="([^"]+)"( checked)?/g)].map(([, id = '', checked]) => [
      id,
      checked !== undefined,
    ])

  test('one is added, the text stays, and the file goes with the order', async () => {
    const picture = await jpeg()
    const form = filled(fieldsOf(await open(), path), { ...good, title: 'Слон 🐘' })
    const page = { ...(await open()), text: (await pages.post(path, form)).text }
    const added = await add(page, { bytes: picture })
    assert.equal(added.status, 200, readable(added))
    assertPage(added.text, w.service)
    says(added, 'File added', 'JPEG')
    assert.doesNotMatch(added.text, /<img src=x/)
    assert.equal(new Map(fieldsOf(added, path)).get('title'), 'Слон 🐘')
    const [[id, isTicked] = ['', false]] = boxes(added)
    assert.ok(isTicked)
    const again = await add(page, { bytes: picture })
    assert.deepEqual(boxes(again), [[id, true]], 'sent twice it is one file')
    const other = await add(page, { bytes: await jpeg({ width: 20 }) })
    assert.equal(other.status, 409)
    says(other, 'This form was already sent with different content')

    const ordered = await pages.send(added, path, { confirmed_total_minor: '11000' })
    assert.equal(ordered.status, 303, readable(ordered))
    const shown = await pages.get(String(ordered.headers.location))
    assert.match(shown.text, new RegExp(`/api/v1/human/attachments/${id}/preview`))
    assertPage(shown.text, w.service)
    const bytes = await visit(w.url, `/api/v1/human/attachments/${id}/download`, {
      headers: { cookie: hilda.headers.cookie },
    })
    assert.deepEqual(bytes.bytes, picture)
    assert.deepEqual(boxes(await open()), [], 'it is used')
    const late = await pages.send(added, path, { operation_id: randomUUID(), confirmed_total_minor: '11000' })
    assert.equal(late.status, 409)
    says(late, 'One of the files has already been used')
  })

  test('an empty, unsupported or broken one is explained beside it, and nothing is kept', async () => {
    const before = await unbound()
    const page = await typed({})
    for (const [bytes, status, told] of [
      [Buffer.alloc(0), 415, 'Choose a file of a supported type'],
      [Buffer.from('just text'), 415, 'Choose a file of a supported type'],
      [(await jpeg()).subarray(0, 60), 400, 'The file is damaged'],
    ] as const) {
      const sent = await add(page, { bytes, typed: { upload_id: randomUUID() } })
      assert.equal(sent.status, status, readable(sent))
      assertPage(sent.text, w.service)
      says(sent, told)
      assert.equal(new Map(fieldsOf(sent, path)).get('description'), good.description)
      assert.deepEqual(boxes(sent), [])
    }
    assert.equal(await unbound(), before + 1, 'the record of the broken one')
  })

  test('without the form’s token, from elsewhere, signed out, or sent first, nothing is kept', async () => {
    const before = await unbound()
    const page = await open()
    const bytes = await jpeg()
    const stale = await add(page, { bytes, typed: { ...good, csrf_token: 'x' } })
    assert.equal(stale.status, 403)
    says(stale, 'This form was opened before you signed in')
    assert.equal(new Map(fieldsOf(stale, path)).get('description'), good.description, 'what was typed is there')
    assert.equal((await add(page, { bytes, typed: { csrf_token: undefined } })).status, 403)
    assert.equal((await add(page, { bytes, origin: 'https://evil.example' })).status, 403)
    assert.equal((await add(page, { bytes, isFirst: true })).status, 403)
    const long = await add(page, { bytes, typed: { input_attachment_ids: 'x'.repeat(201) } })
    assert.equal(long.status, 400, 'no box of ours')
    const out = await add(page, { bytes, typed: good, cookie: 'kith_session=x' })
    assert.equal(out.status, 403)
    assertPage(out.text, w.service)
    says(out, 'Your session has ended', good.description)
    assert.equal(new Map(fieldsOf(out, path)).get('title'), good.title)
    assert.equal((await pages.post(`${path}/files`, fieldsOf(page, path))).status, 415)
    assert.equal(await unbound(), before)
  })

  test('what was typed stays if it comes too often, is too large, or cannot be stored', async () => {
    const page = await open()
    const bytes = await jpeg()
    const keeps = (shown: PageAnswer, status: number, ...words: string[]): void => {
      assert.equal(shown.status, status, readable(shown))
      assertPage(shown.text, w.service)
      says(shown, ...words)
      const fields = new Map(fieldsOf(shown, path))
      assert.deepEqual([fields.get('title'), fields.get('description')], [good.title, good.description])
    }
    const send = (sending: Sending) => add(page, { bytes, typed: { ...good, upload_id: randomUUID() }, ...sending })

    const busy = await w.node({
      PUBLIC_URL: w.service.publicUrl,
      WRITE_LIMIT_PER_MINUTE: '1',
      READ_LIMIT_PER_MINUTE: '2',
    })
    assert.equal((await send({ at: busy.url, bytes: Buffer.from('just text') })).status, 415)
    const often = await send({ at: busy.url })
    keeps(often, 429, 'Too many requests', 'Check price')
    assert.ok(Number(often.headers['retry-after']) > 0)
    keeps(await send({ at: busy.url }), 429, 'Too many requests', 'What you typed is kept', good.description)
    const empty = await add(page, { at: busy.url, typed: { upload_id: randomUUID(), deadline: '' } })
    assert.equal(empty.status, 429)
    saysNot(empty, 'What you typed is kept')

    const before = await unbound()
    keeps(await send({ length: 262_209_537 }), 413, 'The file is too large', 'Check price')
    const { storage } = w.service
    const { put } = storage
    const full = async (): Promise<never> => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    Object.assign(storage, { put: full })
    const failed = await send({})
    Object.assign(storage, { put })
    keeps(failed, 503, 'Not available right now', 'What you typed is kept', good.description)
    assert.ok(Number(failed.headers['retry-after']) > 0)
    assert.equal(await unbound(), before)
    const again = await pages.send(failed, path)
    assert.equal(again.status, 200)
    says(again, 'You chose a file but did not add it', 'Order for 110.00 test credits')
  })

  test('one chosen but not added is explained, and no order goes out without it by mistake', async () => {
    const before = await ordersOf()
    const sent = await typed({ file: 'cat.jpg', confirmed_total_minor: '11000' })
    assert.equal(sent.status, 400)
    says(sent, 'You chose a file but did not add it', 'Order for 110.00 test credits')
    assert.doesNotMatch(sent.text, /cat\.jpg/)
    const checked = await typed({ file: 'cat.jpg' })
    assert.equal(checked.status, 200)
    says(checked, 'You chose a file but did not add it')
    assert.equal(await ordersOf(), before)
  })

  test("ten are sent along, eleven or someone else's are refused", async () => {
    const ids = await Promise.all(Array.from({ length: 11 }, () => givenFile(w, hilda, { purpose: 'order' })))
    const otto = await customer(w, 'Otto')
    const foreign = await givenFile(w, otto, { purpose: 'order' })
    assert.ok(!boxes(await open()).some(([id]) => id === foreign))
    const order = (files: readonly string[]): Promise<PageAnswer> =>
      typed({ input_attachment_ids: files, confirmed_total_minor: '11000' })
    for (const [files, status, told] of [
      [ids, 400, 'An order can have at most 10 files'],
      [[ids[0], ids[0]], 400, 'An order can have at most 10 files'],
      [['x'], 400, 'An order can have at most 10 files'],
      [[foreign], 404, 'One of the files no longer exists'],
    ] as const) {
      const sent = await order(files as string[])
      assert.equal(sent.status, status, readable(sent))
      says(sent, told)
    }
    assert.equal((await order(ids.slice(0, 10))).status, 303)
    assert.deepEqual(
      boxes(await open()).map(([id]) => id),
      [ids[10]],
    )
  })
})
