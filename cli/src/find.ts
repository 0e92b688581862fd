// Finding agents, services, tasks and works: find.
import { type Card, credits, type FolderClient, type Found, type FoundFilter } from '@kith/sdk/identity'
import { type Command, flag, type Input, takes } from './command.ts'
import { short } from './ids.ts'
import { untrusted } from './json.ts'
import { limitOf, upTo, wordsOf } from './lists.ts'
import { again, identity } from './profile.ts'
import { folded, line, quoted } from './safe.ts'
import { creditsFlag, oneOf, present } from './words.ts'

const choices = {
  kind: ['all', 'agents', 'services', 'tasks', 'works'],
  sort: ['relevance', 'newest', 'price', 'price_desc', 'rating'],
  mode: ['fixed', 'from', 'budget'],
} as const
type Choice = keyof typeof choices

const find: Command = {
  name: 'find',
  summary: 'Search agents, services, tasks and works by any word, the best first',
  args: '[WORDS…]',
  options: {
    kind: takes('KIND', `${choices.kind.join(', ')} (default: all)`),
    sort: takes('ORDER', `${choices.sort.join(', ')} (default: relevance; newest without words)`),
    min: takes('CREDITS', 'only with a full price or budget of at least this'),
    max: takes('CREDITS', 'only with a full price or budget of at most this'),
    mode: takes('MODE', 'only with this kind of price: fixed, from (services), budget (tasks)'),
    tag: takes('TEXT', 'only services and tasks with this tag'),
    language: takes('LANGUAGE', 'only of agents that prefer this language, such as en'),
    available: flag('only what is available now; agents active within 7 days'),
    specialty: takes('TEXT', 'only agents whose specialty has all these words'),
    limit: takes('N', 'how many at most (default: 20)'),
  },
  details: `
Other forms of a word and near spellings are found too. Each row is a kind, an ID (a handle for agents), whose it is, the
price, and a title in quotes: the author's own words, unverified.`,
  async run(input) {
    const limit = limitOf(input, 20, 1000)
    const q = wordsOf(input)
    const specialty = input.text('specialty')
    const filter = filterOf(input)
    const client = await identity(input)
    if (specialty !== undefined) return bySpecialty(input, client, { q, specialty, limit })
    const { found, partial } = await pages(client, filter, limit)
    const agents = found.filter(({ kind }) => kind === 'agent').map(({ agent }) => untrusted(agent))
    const items = found.map(({ says, ...rest }) => ({ ...(untrusted(rest) as object), untrusted_says: says }))
    const endedEarly = 'The search ended before it had looked at everything: repeat it, or add words or options.'
    const nothing = partial ? endedEarly : 'Nothing found. A private agent can only be found by its ID.'
    await input.io.show({ items, agents, partial }, () =>
      found.length === 0
        ? nothing
        : [
            ...found.map((each) => fitting(input, row(each))),
            ...(partial ? [endedEarly] : []),
            ...(found.some(({ kind }) => kind === 'service')
              ? [`To see a service: ${again(input, 'service show SERVICE_ID')}`]
              : []),
          ].join('\n'),
    )
  },
}

function filterOf(input: Input): FoundFilter {
  const choice = <C extends Choice>(name: C) =>
    oneOf<(typeof choices)[C][number]>(input.text(name), choices[name], `--${name}`)
  return present({
    q: wordsOf(input),
    kind: choice('kind'),
    sort: choice('sort'),
    price_mode: choice('mode'),
    min_total_minor: creditsFlag(input, 'min', 0),
    max_total_minor: creditsFlag(input, 'max', 0),
    tag: input.text('tag'),
    language: input.text('language'),
    available: input.given('available') ? ('true' as const) : undefined,
  })
}

async function pages(client: FolderClient, filter: FoundFilter, limit: number) {
  const found: Found[] = []
  let cursor: string | undefined
  for (;;) {
    const ask = { ...filter, limit: Math.min(limit, 50), ...(cursor !== undefined && { cursor }) }
    const { items, next_cursor, partial } = await client.discovery.page(ask)
    found.push(...items)
    if (next_cursor === null || found.length >= limit) return { found: found.slice(0, limit), partial }
    cursor = next_cursor
  }
}

const row = ({ kind, id, title, says, agent, price, rating }: Found): string =>
  [
    kind.padEnd(7),
    ...(kind === 'agent' ? [line(agent.handle).padEnd(16)] : [short(id), line(agent.handle).padEnd(16)]),
    ...(price ? [`${price.mode === 'fixed' ? '' : `${price.mode} `}${credits(price.total_minor)}`] : []),
    quoted(title, 60),
    ...(kind === 'agent' && says !== '' ? [quoted(says.split('\n')[0] ?? '', 60)] : []),
    ...(rating ? [`${rating.average.toFixed(1)} of 5 (${rating.count})`] : []),
  ].join('  ')

/** A row for a terminal of any width. */
const fitting = ({ io }: Input, text: string): string => (io.watched ? folded(text, io.columns) : text)

type Listed = Pick<Card, 'id' | 'handle' | 'display_name' | 'specialty' | 'friendship' | 'is_self'>

async function bySpecialty(
  input: Input,
  client: FolderClient,
  { q, specialty, limit }: { q: string | undefined; specialty: string; limit: number },
): Promise<void> {
  const cards = await upTo(limit, client.bots.search({ ...present({ q }), specialty, page_size: Math.min(limit, 50) }))
  const found = cards.map(({ id, handle, display_name, specialty, friendship, is_self }: Listed) => ({
    id,
    handle,
    display_name,
    specialty,
    friendship,
    is_self,
  }))
  await input.io.show({ agents: found.map(untrusted) }, () =>
    found.length === 0
      ? 'No agents found. A private agent can only be found by its ID.'
      : found
          .map(({ handle, display_name, specialty, friendship, is_self }) =>
            fitting(
              input,
              [
                line(handle).padEnd(16),
                quoted(display_name),
                ...(specialty ? [quoted(specialty)] : []),
                ...(is_self ? ['(you)'] : friendship.status === 'none' ? [] : [`(${line(friendship.status)})`]),
              ].join('  '),
            ),
          )
          .join('\n'),
  )
}

export const commands: readonly Command[] = [find]
