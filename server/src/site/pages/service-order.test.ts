// A person orders a service on its page: in four presses after signing in, for exactly the price that was shown, once.
// docs/contract/site.md#services.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { png } from '../../../test/corpus.ts'
import { customer } from '../../../test/customers.ts'
import { givenFile } from '../../../test/files.ts'
import { askCode } from '../../../test/humans.ts'
import { faultsOf } from '../../../test/markup.ts'
import { money } from '../../../test/orders.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, visit } from '../../../test/pages.ts'
import { type Fields, fieldsOf, filled, readable, reader, type Typed } from '../../../test/reader.ts'
import { change, formOf, moved, priceBody, published, quoted, type Shown } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'
import { quoteLifetime } from '../../modules/catalog/quotes.ts'

const { w, ada } = story('ada')
const hilda = beforehand(() => customer(w, 'Hilda'))
const pages = beforehand(() => reader(w, hilda.headers.cookie))
const ordersOf = async (): Promise<Shown[]> => (await hilda.get('/human/orders')).body.orders

const pathOf = ({ id }: Shown): string => `/services/${id}`
const form = formOf(
  { type: 'short_text', required: true, label: 'Which ship', max_length: 10 },
  { type: 'integer', min: 1, max: 9 },
  { type: 'boolean', required: true },
  { type: 'choice', options: ['red', 'blue'] },
  { type: 'multi_choice', options: ['sail', 'steam'], required: true },
  { type: 'attachment', media_types: ['image/png'] },
)
const answers = { answer_0: 'Fram', answer_1: '3', answer_2: 'false', answer_3: 'blue', chosen_4: ['sail', 'steam'] }

/** Sends the form of a page as it was typed, and with a press of a button. */
async function press(page: PageAnswer, service: Shown, typed: Typed = {}): Promise<PageAnswer> {
  const sent = await pages.send(page, pathOf(service), typed)
  if (sent.status !== 303) assertPage(sent.text, w.service)
  return sent
}

const total = ({ text }: PageAnswer): string =>
  /name="confirmed_total_minor" value="(\d+)"/.exec(text)?.[1] ?? assert.fail('no price')

const confirm = (page: PageAnswer, service: Shown, typed: Typed = {}): Promise<PageAnswer> =>
  press(page, service, { ...typed, confirmed_total_minor: total(page) })

const says = (page: PageAnswer, ...words: string[]): void => {
  const text = readable(page)
  for (const word of words) assert.ok(text.includes(word), `${word}: ${text}`)
}

test('from signing in to the order there are four presses, and signing in leads back', async () => {
  const service = await published(ada, { input_schema: form })
  const nobody = reader(w, undefined)
  const [, to = ''] = /href="\/sign-in\?(to=[^"]+)"/.exec((await nobody.get(pathOf(service))).text) ?? []
  const asking = await nobody.get(`/sign-in?${to}`)
  const { challenge_id, code: six } = await askCode(w, 'ines@example.org')
  const fields: Fields = filled(fieldsOf(asking, '/sign-in'), { challenge_id, code: six, documents_confirmed: 'true' })
  const back = await nobody.post('/sign-in', fields)
  assert.deepEqual([back.status, back.headers.location], [303, `${pathOf(service)}#order`])
  const [cookie = ''] = (back.headers['set-cookie'] as string[]).map((each) => each.split(';', 1)[0])
  const ines = reader(w, cookie)

  let presses = 0
  const pressed = <T>(done: T): T => {
    presses++
    return done
  }
  const list = pressed(await ines.get('/services'))
  assert.ok(list.text.includes(`href="${pathOf(service)}"`))
  const page = pressed(await ines.get(pathOf(service)))
  assertPage(page.text, w.service)
  assert.equal(page.headers['cache-control'], 'no-store')
  const priced = pressed(await ines.send(page, pathOf(service), { ...answers, quantity: '2' }))
  assertPage(priced.text, w.service)
  assert.deepEqual(await faultsOf(priced.text), [])
  assert.doesNotMatch(priced.text, /href="#order"/, 'one button orders')
  says(priced, '20.00 test credits', '22.00 test credits', 'Order for 22.00 test credits', '4,978.00 test credits')
  const ordering = fieldsOf(priced, pathOf(service))
  const ordered = pressed(await ines.post(pathOf(service), [...ordering, ['confirmed_total_minor', total(priced)]]))
  assert.deepEqual([ordered.status, presses], [303, 4])
  const order = await ines.get(String(ordered.headers.location))
  says(order, 'A logo', 'Waiting for the agent', 'Which ship', 'Fram', 'sail, steam')
  const [seen] = (await ada.get('/human-orders')).body.orders
  assert.deepEqual(seen.service_snapshot.parameters, {
    field_0: 'Fram',
    field_1: 3,
    field_2: false,
    field_3: 'blue',
    field_4: ['sail', 'steam'],
  })
  assert.deepEqual([seen.total_minor, seen.origin.id, seen.title], [2200, service.id, 'A logo'])
})

test('pressing twice works out one price and makes one order', async () => {
  const service = await published(ada)
  const page = await pages.get(pathOf(service))
  const asked = filled(fieldsOf(page, pathOf(service)), { description: 'Of a cat' })
  const quotes = await Promise.all(Array.from({ length: 4 }, () => pages.post(pathOf(service), asked)))
  assert.equal(new Set(quotes.map(({ text }) => /name="service_quote_id" value="([^"]+)"/.exec(text)?.[1])).size, 1)
  const [priced] = quotes as [PageAnswer]
  const before = (await ordersOf()).length
  const ordering: Fields = [...fieldsOf(priced, pathOf(service)), ['confirmed_total_minor', total(priced)]]
  const made = await Promise.all(Array.from({ length: 20 }, () => pages.post(pathOf(service), ordering)))
  assert.deepEqual([...new Set(made.map(({ status }) => status))], [303])
  assert.equal(new Set(made.map(({ headers }) => headers.location)).size, 1)
  assert.equal((await ordersOf()).length, before + 1)
  assert.deepEqual(await money(hilda), [500_000, 0], 'nothing is reserved yet')
})

test('what is wrong is said beside each entry at once, and what was typed stays', async () => {
  const service = await published(ada, { input_schema: form })
  const page = await pages.get(pathOf(service))
  const shown = await press(page, service, {
    answer_0: `${hostile}`,
    answer_1: '10',
    answer_2: '',
    answer_3: 'green',
    chosen_4: [],
    quantity: '0',
    deadline: '2001-01-01T12:00',
    description: 'Kept',
  })
  assert.equal(shown.status, 400)
  assert.equal(shown.text.match(/class="field-problem"/g)?.length, 7)
  assert.deepEqual(await faultsOf(shown.text), [])
  says(
    shown,
    'Please fix the marked fields',
    'Up to 10 characters',
    'A whole number from 1 to 9',
    'Yes or no',
    'Choose at least 1',
  )
  says(shown, 'Enter a whole number from 1 to 1,000', 'Enter a date and time in the future')
  const kept = new Map(fieldsOf(shown, pathOf(service)))
  assert.deepEqual([kept.get('answer_0'), kept.get('answer_1'), kept.get('description')], [hostile, '10', 'Kept'])
  assert.doesNotMatch(shown.text, /name="confirmed_total_minor"/)
  const plain = await published(ada)
  const empty = await press(await pages.get(pathOf(plain)), plain, { description: ' ' })
  assert.equal(empty.status, 400)
  says(empty, 'Describe the work')
})

test('what is missing is asked for, and how much there must be is said in words', async () => {
  const service = await published(ada, {
    input_schema: formOf(
      { type: 'short_text', required: true },
      { type: 'multi_choice', options: ['sail', 'steam', 'oars'], min_items: 2, max_items: 2, required: true },
      { type: 'long_text', min_length: 3, max_length: 3 },
      { type: 'attachment', media_types: ['image/png'], required: true },
    ),
  })
  const page = await pages.get(pathOf(service))
  const empty = await press(page, service, { answer_0: ' ' })
  assert.equal(readable(empty).match(/Please answer this\./g)?.length, 3)
  says(empty, 'Choose 2.', 'Exactly 3 characters.')
  assert.match(
    empty.text,
    /name="chosen_1" type="checkbox"[^>]* aria-invalid="true" aria-describedby="answer_1-problem"/,
  )
  const wrong = await press(page, service, { answer_0: 'x', chosen_1: ['sail'], answer_2: 'ab' })
  assert.equal(readable(wrong).match(/Please check this answer\./g)?.length, 2)
  for (const file of [await givenFile(w, ada), randomUUID()]) {
    const gone = await press(page, service, { answer_0: 'x', chosen_1: ['sail', 'oars'], answer_3: file })
    assert.equal(gone.status, 404)
    says(gone, 'One of the files no longer exists')
    assert.equal(new Map(fieldsOf(gone, pathOf(service))).get('answer_0'), 'x')
  }
})

test('answers that a request to the API could not carry are refused, and kept', async () => {
  const field = { type: 'long_text', required: true }
  const service = await published(ada, { input_schema: formOf(...Array.from({ length: 20 }, () => field)) })
  const typed = (length: number) =>
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`answer_${at}`, 'x'.repeat(length)]))
  const page = await pages.get(pathOf(service))
  const long = await press(page, service, typed(8000))
  assert.equal(long.status, 413)
  says(long, 'Your answers are too long together')
  assert.equal(new Map(fieldsOf(long, pathOf(service))).get('answer_19'), 'x'.repeat(8000))
  const ordered = await confirm(await press(long, service, typed(3000)), service)
  assert.equal(ordered.status, 303)
})

test('only what was priced is ordered: other answers, another total, an old or a foreign price order nothing', async () => {
  const service = await published(ada, { input_schema: form })
  const priced = await press(await pages.get(pathOf(service)), service, answers)
  const before = (await ordersOf()).length
  const other = await confirm(priced, service, { quantity: '3' })
  assert.equal(other.status, 409)
  says(other, 'Something was changed after the price was shown', 'Order for 33.00 test credits')
  const renamed = await confirm(other, service, { answer_0: 'Gjøa' })
  assert.deepEqual([renamed.status, total(renamed)], [409, '3300'])
  const cheap = await press(renamed, service, { confirmed_total_minor: '1' })
  assert.equal(cheap.status, 409)
  const ivan = await customer(w, 'Ivan')
  const his = await quoted(ivan, service, { parameters: { field_0: 'Fram', field_2: false, field_4: ['sail'] } })
  const foreign = await press(renamed, service, { service_quote_id: his.id, confirmed_total_minor: '1100' })
  assert.equal(foreign.status, 404)
  const again = await press(await pages.get(pathOf(service)), service, answers)
  w.travel(quoteLifetime)
  const late = await confirm(again, service)
  assert.equal(late.status, 409)
  says(late, 'This price was valid for ten minutes')
  assert.equal((await ordersOf()).length, before)
  assert.equal((await confirm(await press(late, service), service)).status, 303, 'its answers were kept')
  assert.equal((await ordersOf()).length, before + 1)
})

test('a service that changes while somebody types', async () => {
  const service = await published(ada, { input_schema: form })
  const page = await pages.get(pathOf(service))
  const fields = [
    { type: 'integer', key: 'age' },
    { type: 'short_text', key: 'field_0', required: true },
  ]
  const changed = (
    await change(ada, service, {
      price: priceBody({ amount_minor: 3000 }),
      input_schema: { version: 1, fields: fields.map((field, at) => ({ label: `New ${at}`, ...field })) },
    })
  ).body.service
  const shown = await press(page, service, answers)
  assert.equal(shown.status, 409)
  says(shown, 'Something changed since you opened this page', '33.00 test credits', 'New 0')
  const kept = new Map(fieldsOf(shown, pathOf(service)))
  assert.deepEqual([kept.get('answer_0'), kept.get('answer_1')], ['', 'Fram'], 'each answer went with its question')
  const priced = await press(shown, service)
  assert.equal(total(priced), '3300')
  const paused = await moved(ada, changed, 'pause')
  const late = await confirm(priced, service)
  assert.equal(late.status, 409)
  says(late, 'This service cannot be ordered now', 'The agent has paused this service')
  await moved(ada, paused, 'archive')
  assert.equal((await press(priced, service)).status, 404)
})

test('a file is added while typing, and answers the question that waits for it', async () => {
  const service = await published(ada, { input_schema: form })
  const page = await pages.get(pathOf(service))
  const upload = async (fields: Fields, cookie = hilda.headers.cookie) => {
    const body = new FormData()
    for (const [name, value] of fields) if (name !== 'file') body.append(name, value)
    body.append('file', new File([new Uint8Array(await png())], 'ship.png'))
    const headers = { ...asBrowser, cookie, origin: w.service.publicUrl }
    const sent = await fetch(`${w.url}${pathOf(service)}/files`, { method: 'POST', headers, body, redirect: 'manual' })
    return { status: sent.status, text: await sent.text() } as PageAnswer
  }
  const typed = filled(fieldsOf(page, pathOf(service)), { ...answers, description: 'Kept' })
  const came = await upload(typed)
  assert.equal(came.status, 200)
  assertPage(came.text, w.service)
  says(came, 'ship.png', 'File added')
  const kept = new Map(fieldsOf(came, pathOf(service)))
  assert.deepEqual([kept.get('answer_0'), kept.get('description')], ['Fram', 'Kept'])
  const file = kept.get('answer_5')
  assert.equal(kept.get('input_attachment_ids'), file)
  const left = await press(came, service, { file: 'other.png' })
  says(left, 'You chose a file but did not add it')
  const ordered = await confirm(await press(came, service), service)
  assert.equal(ordered.status, 303)
  const [order] = await ordersOf()
  assert.equal(order.input_attachments[0].id, file)
  assert.equal((await upload(typed, 'kith_session=x')).status, 403)
  const stolen = await upload(filled(typed, { csrf_token: 'x' }))
  assert.equal(stolen.status, 403)
})

test('who is not signed in, or comes from elsewhere, orders nothing', async () => {
  const service = await published(ada)
  const page = await pages.get(pathOf(service))
  const fields = filled(fieldsOf(page, pathOf(service)), { description: 'Of a cat' })
  const out = await reader(w, undefined).post(pathOf(service), fields)
  assert.equal(out.status, 403)
  says(out, 'Your session has ended', 'Of a cat')
  assert.ok(out.text.includes(`href="/sign-in?to=%2Fservices%2F${service.id}%23order" target="_blank"`))
  const ivan = await customer(w, 'Ivan')
  const other = await reader(w, ivan.headers.cookie).post(pathOf(service), fields)
  assert.equal(other.status, 403)
  says(other, 'Send this from your account?', 'Of a cat')
  const signedOut = await visit(w.url, pathOf(service), { headers: { ...asBrowser, cookie: 'kith_session=x' } })
  assert.match(String(signedOut.headers['cache-control']), /^public/)
  assert.equal(code(await hilda.get(`/human/orders/${randomUUID()}`)), '404 not_found')
})
