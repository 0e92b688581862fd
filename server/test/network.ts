// A network as the site may meet it: agents who say nothing of themselves and agents who say too much, works of every kind,
// lists of several pages, and an empty server. What it holds comes through the API, with real files.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentNames } from '../src/documents.ts'
import { days, hours, minutes } from '../src/kernel/clock.ts'
import { jpeg, pdf, png } from './corpus.ts'
import { mp3, video, wav } from './corpus-media.ts'
import { dwg, eps, psd, svg } from './corpus-sources.ts'
import { articleBody, assign, atOnce, published, seedArticles } from './editorial.ts'
import { answered, filed, vote } from './feedback.ts'
import { fund, trade } from './orders.ts'
import { hostile } from './pages.ts'
import { givenPost } from './posts.ts'
import { draftOf, projectCaseIn, proposedOf, type Sides } from './project-cases.ts'
import { reviewBody } from './reviews.ts'
import { remove } from './scratch.ts'
import { formOf, priceBody, published as publishService } from './services.ts'
import { bid, cancel, publish, select } from './tasks.ts'
import { uploaded } from './upload.ts'
import { type Agent, befriend, latestMail, type World, world } from './world.ts'

export interface Network extends AsyncDisposable {
  w: World
  /** What pages are opened with; those of a kind that this network has none of are left out. */
  ids: Ids
}

/** Handles and ids, by how much there is to see at them: a little, all that there can be, and what no page may trust. */
interface Ids {
  agents: readonly string[]
  posts: readonly string[]
  services: readonly string[]
  tasks: readonly string[]
  ideas: readonly string[]
  articles: readonly string[]
  cases: readonly string[]
  /** Confirmations of an owner that wait, and that are over. */
  confirmations: readonly string[]
}

/** Words that try a layout: without an end, without a width, the other way round, and piled up. */
export const words = {
  endless: 'W'.repeat(80),
  arabic: 'نور ترسم الموانئ ليلًا',
  hebrew: 'שלום עולם',
  joined: '👩‍👩‍👧‍👦 family\u200bof\u200bfour',
  piled: 'Z̴̡̛̼͎͓̬a̵̢̛̻̹͍l̶̨̛̹͍g̷̨̛̣͍o̸̧̢̬̪',
  link: 'https://example.org/a/very/long/path?and=a&query=too#and-a-fragment',
} as const

const hostileText = [
  hostile,
  `javascript:alert(1) data:text/html,x https://user:secret@example.org/ HTTPS://EXAMPLE.ORG/${'x'.repeat(200)}`,
  words.arabic,
  `${words.joined} ${words.piled} ${words.endless.repeat(5)}`,
  '](javascript:alert(1)) **not bold** <b>not bold</b> {{7*7}} #{7*7} &amp; &lt;',
  '-->]]></title></style></textarea><svg onload=alert(1)>',
].join('\n\n')

/** As many characters as a text may have. */
const filled = (length: number): string =>
  'All that there is to say of ships, of harbours, and of the night between them. '.repeat(1000).slice(0, length).trim()

/** A server on which nobody has done anything yet but to ask for a passport. */
export async function emptyNetwork(): Promise<Network> {
  const w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
  const email = 'owner@owners.example'
  const json = { handle: 'first', email, encryption_public_key: Buffer.alloc(32, 9).toString('base64') }
  assert.equal((await w.request('POST', '/registration/email/request', { json })).status, 202)
  const { link } = await latestMail(w, email)
  const { pathname } = new URL(link as string)
  const none = { agents: [], posts: [], services: [], tasks: [], ideas: [], articles: [], cases: [] }
  return {
    w,
    ids: { ...none, confirmations: [pathname.split('/').at(-1) as string] },
    [Symbol.asyncDispose]: () => w.close(),
  }
}

/** A server that is lived on. */
export async function livingNetwork(): Promise<Network> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-operator-'))
  const [documents, site] = [join(folder, 'documents'), join(folder, 'site')]
  await mkdir(documents)
  for (const name of documentNames) {
    await writeFile(join(documents, `${name}.1.0.md`), `# ${name} ${hostile}\n\nBe **kind**.\n`)
  }
  await mkdir(join(site, 'pages'), { recursive: true })
  await writeFile(join(site, 'pages/about.md'), `# About ${hostile}\n\nWe **are**. ${hostile}\n\n- [The docs](/docs)\n`)
  const operator = { OPERATOR_NAME: `The Harbour ${hostile}`, OPERATOR_CONTACT: 'harbour@operator.example' }
  const env = { ...operator, DOCUMENTS_DIR: documents, SITE_DIR: site }
  const w = await world({ env, offset: -days(3) })
  const close = async (): Promise<void> => {
    await w.close()
    await remove(folder)
  }
  try {
    return { w, ids: await settled(w), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

async function settled(w: World): Promise<Ids> {
  const people = await settlers(w)
  // What each of them does next rests on nothing of the others'.
  const [works, services, tasks, ideas, articles, cases] = await Promise.all([
    worksOf(w, people),
    servicesOf(people),
    tasksOf(w, people),
    ideasOf(w, people),
    articlesOf(w, people),
    casesOf(w, people),
  ])
  w.travel(days(3))
  await reviewsOf(w, people)
  const { ada, ben, mallory, noor } = people
  const agents = [ada, ben, mallory, noor].map(({ handle }) => handle)
  return { agents, posts: works, services, tasks, ideas, articles, cases, confirmations: [] }
}

interface Settlers {
  /** Says all of herself that can be said. */
  ada: Agent
  /** Says nothing. */
  ben: Agent
  /** Means no good. */
  mallory: Agent
  /** Writes from right to left. */
  noor: Agent
  /** More than a page of a list shows. */
  others: readonly Agent[]
}

async function settlers(w: World): Promise<Settlers> {
  const ada = await w.agent('ada', {
    display_name: 'Ada of the harbour',
    specialty: 'Illustration of ships by night, in ink, for books and for the walls of inns',
    bio: filled(4000),
    character_description: `Speaks softly.\nWrites at night.\n\n${filled(600)}`,
    country: 'Portugal',
    city: 'Lisboa',
    preferred_language: 'pt',
  })
  const ben = await w.agent('ben', { display_name: 'Ben' })
  const mallory = await w.agent('mallory_with_the_longest_handle0', {
    display_name: hostile.slice(0, 80),
    specialty: hostile,
    bio: hostileText,
    character_description: hostileText,
    country: hostile.slice(0, 80),
    city: hostile,
    preferred_language: hostile.slice(0, 35),
  })
  const noor = await w.agent('noor', { display_name: words.arabic, specialty: words.hebrew, bio: words.arabic })
  const others: Agent[] = []
  for (let at = 0; at < 24; at++) {
    const display_name = at === 0 ? words.endless : at === 1 ? words.joined : `Agent number ${at}`
    others.push(await w.agent(`agent_${at}`, { display_name, ...(at % 3 === 0 && { specialty: 'Cartography' }) }))
  }
  const avatar = await uploaded(w, ada, await jpeg({ width: 400, height: 300 }), { purpose: 'avatar' })
  const character = await uploaded(w, ada, await png({ width: 300, height: 900, alpha: true }), {
    purpose: 'character',
  })
  const dressed = await ada.patch('/bots/me', {
    avatar_attachment_id: avatar.id,
    character_attachment_id: character.id,
    rights_confirmed: true,
  })
  assert.equal(dressed.status, 200, JSON.stringify(dressed.body))
  return { ada, ben, mallory, noor, others }
}

const withFiles = (...cards: { id: string }[]): { attachment_ids: string[]; rights_confirmed: true } => ({
  attachment_ids: cards.map(({ id }) => id),
  rights_confirmed: true,
})

/** Pictures of every shape that a page can be bent by. */
async function pictures(w: World, who: Agent): Promise<{ id: string }[]> {
  const shapes = [
    { width: 1600, height: 1000, noise: true },
    { width: 2400, height: 60 },
    { width: 40, height: 1800 },
    { width: 1, height: 1 },
    { width: 640, height: 480, orientation: 6 },
  ]
  const cards: { id: string }[] = []
  for (const shape of shapes) cards.push(await uploaded(w, who, await jpeg(shape)))
  cards.push(await uploaded(w, who, await png({ width: 500, height: 500, alpha: true })))
  return cards
}

async function worksOf(w: World, { ada, ben, mallory, noor, others }: Settlers): Promise<string[]> {
  const many: { id: string }[] = []
  for (let at = 0; at < 44; at++) {
    const author = others[at % others.length] as Agent
    const kind = at % 4 === 0 ? 'portfolio' : 'update'
    many.push(
      await givenPost(author, { title: at % 5 === 0 ? '' : `Work number ${at}`, text: filled(40 * at + 10), kind }),
    )
  }
  const little = await givenPost(ben, { text: 'Hello.' })
  const portfolio = { kind: 'portfolio', title: 'The harbour at night' }
  const project = {
    task: filled(500),
    result: filled(500),
    role: 'Illustrator',
    tools: ['Ink', 'Paper', words.endless],
  }
  const gallery = await givenPost(ada, {
    ...portfolio,
    text: filled(8000),
    project,
    ...withFiles(...(await pictures(w, ada))),
  })
  const documents = await givenPost(ada, {
    ...portfolio,
    text: 'A plan, a film, two sounds, and what they were made from.',
    ...withFiles(
      await uploaded(w, ada, pdf({ pages: 3, width: 595, height: 842 })),
      await uploaded(w, ada, await video({ width: 128, height: 72, seconds: 1 })),
      await uploaded(w, ada, mp3(1)),
      await uploaded(w, ada, wav(1)),
      await uploaded(w, ada, psd()),
      await uploaded(w, ada, svg('<script>alert(1)</script>'.replaceAll('script', 'g'))),
      await uploaded(w, ada, eps()),
      await uploaded(w, ada, dwg()),
    ),
  })
  const evil = await givenPost(mallory, {
    kind: 'portfolio',
    title: hostile,
    text: hostileText,
    project: { task: hostileText.split('\n')[0], result: hostile, role: hostile, tools: [hostile.slice(0, 80)] },
    ...withFiles(await uploaded(w, mallory, await jpeg(), { fileName: hostile })),
  })
  const rightToLeft = await givenPost(noor, { title: words.hebrew, text: `${words.arabic}\n\n${words.link}` })
  const asking = await givenPost(ada, { title: 'Tea or coffee?', text: 'For the inn.' })
  await asked(w, ada, asking, { question: 'What shall the inn have?', options: ['Tea', 'Coffee', words.arabic] })
  await asked(w, mallory, evil, { question: hostile, options: [hostile, words.endless, `${words.endless.slice(1)}V`] })
  const decided = await givenPost(ada, { title: 'Ink or pencil?', text: 'It is decided.' })
  await asked(w, ada, decided, {
    question: 'Ink or pencil?',
    options: Array.from({ length: 10 }, (_, at) => `Ink ${at}`),
  })
  const closing = await ada.post(`/posts/${decided.id}/poll/close`, { operation_id: randomUUID() })
  assert.equal(closing.status, 200, JSON.stringify(closing.body))
  return [little, gallery, documents, evil, rightToLeft, asking, decided].map(({ id }) => id)
}

async function asked(w: World, who: Agent, post: { id: string }, poll: object): Promise<void> {
  const closes_at = new Date(w.now().getTime() + days(20)).toISOString()
  const answer = await who.post(`/posts/${post.id}/poll`, { operation_id: randomUUID(), closes_at, ...poll })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
}

async function tasksOf(w: World, { ada, ben, mallory, others }: Settlers): Promise<string[]> {
  for (let at = 0; at < 24; at++) {
    const tags = at % 3 === 0 ? ['maps', 'ink'] : []
    await publish(w, others[at] as Agent, { title: `Task number ${at}`, description: filled(50 * at + 20), tags })
  }
  const little = await publish(w, ben, { title: 'A map', description: 'A small one.', deadline: inDays(w, 10) })
  const tags = Array.from({ length: 12 }, (_, at) => (at === 0 ? 'W'.repeat(40) : `tag ${at}`))
  const full = await publish(w, ada, {
    title: filled(160),
    description: filled(8000),
    tags,
    budget_minor: 1_000_000_000_000,
    deadline: inDays(w, 60),
  })
  for (const each of others.slice(0, 3)) await bid(w, each, full)
  const evil = await publish(w, mallory, {
    title: hostile,
    description: hostileText,
    tags: [hostile.slice(0, 40)],
    deadline: inDays(w, 60),
  })
  await bid(w, others[4] as Agent, evil, { text: hostileText.slice(0, 2000) })
  const taken = await publish(w, ada, { title: 'A portrait of the innkeeper', budget_minor: 2000 })
  await select(ada, taken, await bid(w, others[5] as Agent, taken))
  const ended = await publish(w, ada, { title: 'A portrait of nobody' })
  await cancel(ada, ended)
  return [little, full, evil, taken, ended].map(({ id }) => id)
}

async function servicesOf({ ada, ben, mallory, noor, others }: Settlers): Promise<string[]> {
  for (let at = 0; at < 22; at++) {
    const tags = at % 3 === 0 ? ['maps', 'ink'] : []
    const fields = { title: `Service number ${at}`, description: filled(40 * at + 20), tags }
    await publishService(others[at] as Agent, { ...fields, price: priceBody({ amount_minor: 100 * (at + 1) }) })
  }
  const little = await publishService(ben, { title: 'A map', price: priceBody({ unit_label: '' }) })
  const form = formOf(
    { type: 'short_text', label: 'Which harbour', description: filled(500), required: true },
    { type: 'long_text', min_length: 2 },
    { type: 'integer', min: -5, required: true },
    { type: 'boolean' },
    { type: 'choice', options: ['By night', 'By day'] },
    { type: 'multi_choice', options: ['Ships', 'Gulls', filled(80)], required: true },
    { type: 'attachment', media_types: ['image/png', 'application/pdf'] },
  )
  const price = priceBody({ unit_label: 'w'.repeat(40), amount_minor: 909_090_909_090 })
  const full = await publishService(ada, {
    ...{ title: filled(160), description: filled(8000), delivery_description: filled(2000), price },
    ...{ tags: Array.from({ length: 12 }, (_, at) => `tag ${at}`), input_schema: form },
    estimated_duration_seconds: 31_536_000,
  })
  const evil = await publishService(mallory, {
    ...{ title: hostile, description: hostileText, delivery_description: hostileText.slice(0, 1900) },
    ...{ tags: [hostile.slice(0, 40)], price: priceBody({ unit_label: hostile.slice(0, 40) }) },
    input_schema: formOf({ type: 'choice', label: hostile, description: hostile, options: [hostile.slice(0, 80)] }),
  })
  const asked = await publishService(noor, { title: words.arabic, price: priceBody({ mode: 'from' }) })
  return [little, full, evil, asked].map(({ id }) => id)
}

const inDays = (w: World, count: number): string => new Date(w.now().getTime() + days(count)).toISOString()

async function ideasOf(w: World, { ada, ben, mallory, noor, others }: Settlers): Promise<string[]> {
  const sue = await w.staff('sue_of_the_staff')
  for (let at = 0; at < 22; at++) {
    await filed(others[at] as Agent, 'idea', { title: `Idea number ${at}`, body: filled(60 * at + 20) })
  }
  const little = await filed(ben, 'idea', { title: 'More light', body: 'It is dark.' })
  let full = await filed(ada, 'idea', { title: filled(160), body: filled(4000) })
  for (const each of others.slice(0, 5)) await vote(w, each, full)
  full = await answered(sue, full, { status: 'planned', response: filled(1000) })
  await answered(sue, full, { status: 'resolved', response: `Done.\n\n${words.link}` })
  const evil = await filed(mallory, 'idea', { title: hostile, body: hostileText })
  await answered(sue, evil, { status: 'declined', response: hostileText.slice(0, 1900) })
  const rightToLeft = await filed(noor, 'idea', { title: words.arabic, body: words.hebrew })
  return [little, full, evil, rightToLeft].map(({ id }) => id)
}

async function articlesOf(w: World, { ada, ben, mallory, noor }: Settlers): Promise<string[]> {
  for (const author of [ada, ben, mallory, noor]) await assign(w, author)
  const at = (index: number): Date => new Date(w.now().getTime() - hours(48) - minutes(index))
  await seedArticles(
    w,
    Array.from({ length: 22 }, (_, index) => ({ author: ben, at: at(index), title: `Article number ${index}` })),
  )
  const russian = { title: 'Гавань ночью', summary: 'Тихая', body: 'Там тихо.\n\nКорабли спят.', language: 'ru' }
  const written = [
    await published(ben, { title: 'Short', body: 'It is.', language: 'en' }),
    await published(ada, { title: filled(160), summary: filled(500), body: filled(50_000), language: 'en' }),
    await published(ada, russian),
    await published(mallory, { title: hostile, summary: hostile, body: hostileText, language: 'ru' }),
    await published(noor, { ...articleBody({ title: words.arabic, body: words.hebrew, kind: 'news' }), ...atOnce }),
  ]
  return written.map(({ id }) => id)
}

async function casesOf(w: World, { ada, ben, mallory, others }: Settlers): Promise<string[]> {
  await befriend(ada, ben)
  await befriend(ada, mallory)
  await fund(w, ben, 1_000_000)
  const pair: Sides = { contractor: ada, customer: ben }
  // The newest stand on the first page: what is to be seen comes last.
  for (let index = 0; index < 21; index++) {
    await projectCaseIn(w, pair, 'published', { title: `Case number ${index}`, summary: filled(20 * index + 10) })
  }
  const little = await projectCaseIn(w, pair, 'published', { title: 'A sign', summary: 'Red', result: 'It hangs.' })
  const files = withFiles(...(await pictures(w, ada)), await uploaded(w, ada, pdf()))
  const full = await projectCaseIn(w, pair, 'published', {
    title: filled(160),
    summary: filled(500),
    result: filled(8000),
    ...files,
  })
  const evil = await projectCaseIn(w, { contractor: mallory, customer: ada }, 'published', {
    title: hostile,
    summary: hostile,
    result: hostileText,
  })
  // Nobody but their two sides sees these.
  const customer = others[0] as Agent
  await befriend(ada, customer)
  await proposedOf(ada, await trade(w, customer, ada, 'accepted'))
  await draftOf(ada, await trade(w, customer, ada, 'accepted'))
  return [little, full, evil].map(({ id }) => id)
}

/** Reviews of Ada's work by many agents, with texts that are approved or waiting. */
async function reviewsOf(w: World, { ada, mallory, others }: Settlers): Promise<void> {
  for (const [index, customer] of [mallory, ...others.slice(1, 7)].entries()) {
    if (customer !== mallory) await befriend(ada, customer)
    const order = await trade(w, customer, ada, 'accepted', { amount_minor: 1000 + index })
    const text = customer === mallory ? hostileText.slice(0, 1900) : index % 2 === 0 ? filled(300 * index) : undefined
    const rating = (index % 5) + 1
    const input = reviewBody('customer', { rating, recommend: rating > 2, ...(text !== undefined && { text }) })
    const first = await customer.post(`/orders/${order.id}/reviews`, input)
    assert.equal(first.status, 201, JSON.stringify(first.body))
    const second = await ada.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))
    assert.equal(second.status, 201, JSON.stringify(second.body))
    if (text !== undefined && index !== 6) await w.operator('reviews', 'approve', first.body.review.id)
  }
}
