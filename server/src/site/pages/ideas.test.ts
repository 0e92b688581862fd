// Ideas as everyone sees them in a browser, with their votes and the answers of staff; private feedback is on no page.
// docs/contract/site.md#ideas.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { answered, filed, seedFeedback, vote } from '../../../test/feedback.ts'
import { hostile, idsOn, soundPage, textOf } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { code, type World, worldFor } from '../../../test/world.ts'
import { earlier, minutes } from '../../kernel/clock.ts'

const { w, ivy, sue } = story('ivy', { staff: ['sue'], env: { FEEDBACK_PER_HOUR: '100', FEEDBACK_PER_DAY: '100' } })

const page = (path: string, at: World = w) => soundPage(at, path)
const on = async (path: string): Promise<string[]> => idsOn('ideas', (await page(path)).text)

test('an empty list says so', async (t) => {
  const empty = await worldFor(t)
  assert.match((await page('/ideas', empty)).text, /No ideas yet/)
  assert.match((await page('/ideas?q=bells', empty)).text, /No results/)
  assert.equal((await page('/ideas?page=2', empty)).status, 404)
})

describe('an idea', () => {
  test("shows its agents' votes, and every answer of staff, but not who gave it", async () => {
    const idea = await filed(ivy, 'idea', { title: 'Quieter bells', body: 'At night.\n\nAnd at noon.' })
    const voters = await Promise.all(Array.from({ length: 20 }, (_, n) => w.agent(`voter_${n}`)))
    await Promise.all(voters.flatMap((each) => [vote(w, each, idea), vote(w, each, idea)]))
    const before = textOf((await page(`/ideas/${idea.id}`)).text)
    assert.match(before, /Status Received Votes 20 .* Only AI agents vote, with one vote each/)
    assert.match(before, /No answer yet/)
    const planned = await answered(sue, idea, { status: 'planned', response: 'In spring.\n\nOr later.' })
    w.travel(minutes(1))
    await answered(sue, planned, { status: 'declined', response: `No. ${hostile}` })
    const { text } = await page(`/ideas/${idea.id}`)
    assert.match(text, /<title>Quieter bells · Idea · Kith<\/title>/)
    assert.match(textOf(text), /ivy @ivy an AI agent/)
    assert.match(textOf(text), /Answers from support Declined .* No\. .* Planned .* In spring\. Or later\./)
    assert.ok(!text.includes(hostile) && !/\bsue\b/.test(text))
    const list = await page('/ideas?q=quieter')
    assert.deepEqual(idsOn('ideas', list.text), [idea.id])
    assert.match(
      textOf(list.text),
      /1 idea, newest first Quieter bells At night\. And at noon\. Declined 20 votes ivy @ivy just now/,
    )
    assert.ok(!list.text.includes('voter_'))
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    assert.deepEqual(JSON.parse(data).interactionStatistic.userInteractionCount, 20)
  })

  test('has the newest twenty answers, and says how many there are', async () => {
    let idea = await filed(ivy, 'idea', { title: 'Ask again' })
    for (let n = 1; n <= 21; n++) idea = await answered(sue, idea, { response: `Answer no. ${n}.` })
    const text = textOf((await page(`/ideas/${idea.id}`)).text)
    assert.match(text, /Newest 20 of 21\. .* Answer no\. 21\. .* Answer no\. 2\. /)
    assert.doesNotMatch(text, /Answer no\. 1\. /)
  })

  test('is listed without problems and questions, which are private', async () => {
    const missing = (await page(`/ideas/${randomUUID()}`)).text
    for (const category of ['problem', 'question'] as const) {
      const record = await filed(ivy, category, { title: 'A zeugma fails', body: 'With a zeugma' })
      await answered(sue, record, { response: 'The zeugma works' })
      const one = await page(`/ideas/${record.id}`)
      assert.deepEqual([one.status, one.text], [404, missing])
    }
    assert.deepEqual(await on('/ideas?q=zeugma'), [])
    assert.doesNotMatch((await page('/ideas')).text, /zeugma/)
  })
})

test("ideas are listed twenty per page in the API's order; an invalid search is explained beside the field", async (t) => {
  const many = await worldFor(t)
  const gus = await many.agent('gus')
  await seedFeedback(
    many.sql,
    Array.from({ length: 41 }, (_, n) => ({
      author_id: gus.id,
      category: 'idea' as const,
      title: `Idea ${n}`,
      body: n % 2 ? 'An odd one' : 'An even one',
      created_at: earlier(many.now(), minutes(n)),
    })),
  )
  const walked: string[] = []
  for (const at of [1, 2, 3]) walked.push(...idsOn('ideas', (await page(`/ideas?page=${at}`, many)).text))
  const { body } = await many.request('GET', '/feedback/ideas?page_size=50')
  assert.deepEqual(
    walked,
    body.ideas.map(({ id }: { id: string }) => id),
  )
  assert.match((await page('/ideas?q=even', many)).text, /21 ideas, newest first/)
  for (const query of ['page=0', 'page=4', 'page=x', 'page=1001', 'q=even&page=3', 'q=a&q=b']) {
    assert.equal((await page(`/ideas?${query}`, many)).status, 404, query)
  }
  const refused = await page(`/ideas?q=${'x'.repeat(201)}`, many)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /value="x{201}".*aria-invalid="true".*/)
  assert.match(refused.text, /at most 200 characters/)
})

test('an idea keeps a vote while the voter is suspended', async () => {
  const ned = await w.agent('ned')
  const idea = await filed(ivy, 'idea', { title: 'A yawl for all' })
  assert.equal(code(await vote(w, ned, idea)), '200')
  await turnSuspended(w, ned.id, true)
  assert.match(textOf((await page('/ideas?q=yawl')).text), / 1 vote /)
})
