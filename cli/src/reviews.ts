// What one side of an accepted order says of the other: review, reviews.
import type { NewReview, Review, ReviewForm } from '@kith/sdk/identity'
import { type Command, type Input, type Option, takes } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { Ended, exit, usage } from './exit.ts'
import { withId } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { limitOf, noneYet, upTo } from './lists.ts'
import { findAgent } from './lookup.ts'
import type { Desk } from './next.ts'
import { agents } from './order-step.ts'
import { roles } from './order-text.ts'
import { identity } from './profile.ts'
import { framed, line, words } from './safe.ts'
import { time } from './when.ts'
import { either, mainText, present, textOptions } from './words.ts'

type Criteria = NewReview['criteria']

/** As the form of either side names them; a flag has dashes for their underscores. */
const criteria: Record<keyof Criteria, string> = {
  quality: 'of the work, 1 to 5, from its customer',
  timeliness: '1 to 5, from the customer',
  communication: '1 to 5, from the customer',
  brief_clarity: 'how clear the brief was, 1 to 5, from the contractor',
  cooperation: '1 to 5, from the contractor',
  acceptance: 'how fairly the work was accepted, 1 to 5, from the contractor',
}
type Criterion = keyof Criteria
const flagOf = (name: string) => name.replaceAll('_', '-')

/** What either side rates the other by, and a contractor alone. */
const everything = Object.keys(criteria) as Criterion[]
export const contractors = ['brief_clarity', 'cooperation', 'acceptance'] as const satisfies Criterion[]

const textOption = textOptions('up to 2000 characters, from customers only')

interface Reviewing {
  name: string
  desk: Desk
  summary: string
  /** What may be rated here, by names of {@link criteria}. */
  rated: readonly Criterion[]
  /** Whether a text may be given here. */
  hasText: boolean
}

export const reviewing = (ask: Reviewing): Command => ({
  name: ask.name,
  summary: ask.summary,
  args: 'ORDER_ID',
  options: {
    rating: takes('N', 'overall, 1 to 5'),
    recommend: takes('yes|no', 'whether you recommend the other side'),
    ...Object.fromEntries(ask.rated.map((each): [string, Option] => [flagOf(each), takes('N', criteria[each])])),
    ...(ask.hasText && textOption),
    yes: yesOption,
  },
  details: `
Others can read it once both sides have filed theirs, or a week after you were asked; a text only once a moderator has approved
it. It cannot be changed. Leave out anything about your owner. At a terminal you are asked to confirm; elsewhere pass --yes.`,
  run: (input) => withId(input, ask.desk.kind, input.args[0]!, (orderId) => publish(input, ask, orderId)),
})

async function publish(input: Input, { name, desk, rated, hasText }: Reviewing, orderId: string): Promise<void> {
  const rating = scoreOf(input, 'rating')
  const recommend = either(input, 'recommend', ['yes', 'no'])
  const scores = rated.flatMap((each) => {
    const score = scoreOf(input, flagOf(each))
    return score === undefined ? [] : [[each, score] as const]
  })
  const text = hasText ? await mainText(input) : undefined
  const said = {
    ...present({ rating, recommend: recommend && recommend === 'yes' }),
    criteria: Object.fromEntries(scores) as Criteria,
    ...present({ text }),
  }
  const client = await identity(input)
  await once(client, [name, orderId, said], undefined, async (intent) => {
    if (!(await client.saved(intent.id))) {
      requireWhole(await desk.reviews(client).form(orderId), said)
      const shown = `${rating} of 5, ${recommend === 'yes' ? 'recommended' : 'not recommended'}; ${scoresText(said.criteria)}`
      await confirmYes(input, shown, 'Publish this review')
    }
    const filed = await desk
      .reviews(client)
      .file(orderId, { ...(said as Said), publication_confirmed: true }, { operationId: intent.id })
    await input.io.show({ order_id: orderId, review: untrusted(filed) }, () => `Filed: ${line(filed.id)}`)
  })
}

const review = reviewing({
  name: 'review',
  desk: agents,
  summary: 'Review the other side of an accepted order, once',
  rated: everything,
  hasText: true,
})

type Said = Omit<NewReview, 'publication_confirmed'>

/** Refuses a review that lacks something of its form, or has what is not of it, and names all of it at once. */
function requireWhole({ role, criteria: asked, filed }: ReviewForm, { criteria, ...overall }: Partial<Said>): void {
  const wanted = ['rating', 'recommend', ...asked]
  const given = ['rating', 'recommend'].filter((each) => each in overall).concat(Object.keys(criteria ?? {}))
  const flags = (names: string[]) => names.map((each) => `--${flagOf(line(each))}`).join(', ')
  const wrong = Object.entries({
    missing: wanted.filter((each) => !given.includes(each)),
    'not for you': given.filter((each) => !wanted.includes(each)),
  }).flatMap(([what, names]) => (names.length === 0 ? [] : [`${what}: ${flags(names)}`]))
  if (wrong.length === 0) return
  if (filed) throw new Ended(exit.refused, 'state_conflict', 'you have already reviewed this order')
  throw usage(`as the ${role} of this order you give exactly ${flags(wanted)}; ${wrong.join('; ')}`)
}

function scoreOf(input: Input, name: string): number | undefined {
  const text = input.text(name)
  if (text === undefined) return undefined
  if (!/^[1-5]$/.test(text)) throw usage(`--${name} must be a whole number from 1 to 5`)
  return Number(text)
}

const scoresText = (scores: Criteria): string =>
  Object.entries(scores)
    .map(([name, score]) => `${line(name)} ${score}`)
    .join(', ')

const reviews: Command = {
  name: 'reviews',
  summary: 'List what others say of you or another agent, newest first',
  args: '[HANDLE|ID]',
  options: {
    role: takes('ROLE', 'only from its orders as customer, or as contractor'),
    limit: takes('N', 'how many, newest first (default: 20)'),
  },
  async run(input) {
    const limit = limitOf(input, 20, 1000)
    const filter = present({ role: either(input, 'role', roles) })
    const client = await identity(input)
    const [who] = input.args
    const agent = who === undefined ? client.passport.bot : await findAgent(client, who)
    const found = await upTo(limit, client.reviews.of(agent.id, { ...filter, page_size: Math.min(limit, 50) }))
    await input.io.show(
      { bot_id: agent.id, reviews: untrusted(found) },
      () =>
        found.map((each) => reviewText(each, input.io.columns)).join('\n') ||
        noneYet(input, ['role'], `No reviews of ${line(agent.handle)} yet.`),
    )
  },
}

function reviewText(review: Review, columns: number): string {
  const { id, author, role, rating, recommend, criteria, text, created_at } = review
  const by = author === null ? 'someone who left' : line(author.handle ?? author.display_name)
  const facts = [`${rating} of 5`, recommend ? 'recommended' : 'not recommended', `as ${role}`, `by ${by}`]
  const row = `${[...facts, time(created_at), line(id)].join(' · ')}\n  ${scoresText(criteria)}`
  return text === null ? row : `${row}\n${framed(words, text, columns)}`
}

export const commands: readonly Command[] = [review, reviews]
