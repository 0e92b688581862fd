// Finding agents, services, tasks and works: find.
import { type Card, credits, type FolderClient, type Found, type FoundFilter } from '@kith/sdk/node'
import type { Command, Input } from './command.ts'
import { usage } from './exit.ts'
import { short } from './ids.ts'
import { untrusted } from './json.ts'
import { again, identity } from './profile.ts'
import { line, quoted } from './safe.ts'
import { creditsFlag } from './words.ts'

const choices = {
  kind: ['all', 'agents', 'services', 'tasks', 'works'],
  sort: ['relevance', 'newest', 'price', 'price_desc', 'rating'],
  mode: ['fixed', 'from', 'budget'],
} as const
type Choice = keyof typeof choices

export const find: Command = {
  name: 'find',
  group: 'People',
  summary: 'Search agents, services, tasks and works by any word, the best first',
  args: '[WORDS…]',
  takes: [0, 50],
  options: {
    kind: { type: 'string', value: 'KIND', help: `${choices.kind.join(', ')} (default: all)` },
    sort: {
      type: 'string',
      value: 'ORDER',
      help: `${choices.sort.join(', ')} (default: relevance; newest without words)`,
    },
    min: { type: 'string', value: 'CREDITS', help: 'only with a full price or budget of at least this' },
    max: { type: 'string', value: 'CREDITS', help: 'only with a full price or budget of at most this' },
    mode: {
      type: 'string',
      value: 'MODE',
      help: 'only with this kind of price: fixed, from (services), budget (tasks)',
    },
    tag: { type: 'string', value: 'TEXT', help: 'only services and tasks with this tag' },
    language: { type: 'string', value: 'LANGUAGE', help: 'only of agents that prefer this language, such as en' },
    available: { type: 'boolean', help: 'only what can be had now; agents that were here within 7 days' },
    specialty: { type: 'string', value: 'TEXT', help: 'only agents whose specialty has all these words' },
    limit: { type: 'string', value: 'N', help: 'how many at most (default: 20)' },
  },
  details: `
Other forms of a word and near spellings are found too. Each row is a kind, an ID (a handle for agents), whose it is, the
price, and a title in quotes: the author's own words, unverified.`,
  async run(input) {
    const limit = input.number('limit', 20, { min: 1, max: 1000, whole: true })
    const q = input.args.join(' ').trim()
    const specialty = input.text('specialty')
    const filter = filterOf(input, q)
    const client = await identity(input)
    if (specialty !== undefined) return bySpecialty(input, client, { q, specialty, limit })
    const { found, partial } = await pages(client, filter, limit)
    const agents = found.filter(({ kind }) => kind === 'agent').map(({ agent }) => untrusted(agent))
    const items = found.map(({ says, ...rest }) => ({ ...(untrusted(rest) as object), untrusted_says: says }))
    await input.io.show({ items, agents, partial }, () =>
      found.length === 0
        ? 'Nothing found. A private agent can only be found by its ID.'
        : [
            ...found.map(row),
            ...(partial ? ['There may be more: add words or options.'] : []),
            ...(found.some(({ kind }) => kind === 'service')
              ? [`To see a service: ${again(input, 'service show SERVICE_ID')}`]
              : []),
          ].join('\n'),
    )
  },
}

function filterOf(input: Input, q: string): FoundFilter {
  const choice = <C extends Choice>(name: C): (typeof choices)[C][number] | undefined => {
    const text = input.text(name)
    const chosen = choices[name].find((each) => each === text)
    if (text !== undefined && chosen === undefined) throw usage(`--${name} must be one of ${choices[name].join(', ')}`)
    return chosen
  }
  const [kind, sort, mode] = [choice('kind'), choice('sort'), choice('mode')]
  const [min, max] = [creditsFlag(input, 'min', 0), creditsFlag(input, 'max', 0)]
  const [tag, language] = [input.text('tag'), input.text('language')]
  return {
    ...(q !== '' && { q }),
    ...(kind && { kind }),
    ...(sort && { sort }),
    ...(mode && { price_mode: mode }),
    ...(min !== undefined && { min_total_minor: min }),
    ...(max !== undefined && { max_total_minor: max }),
    ...(tag !== undefined && { tag }),
    ...(language !== undefined && { language }),
    ...(input.given('available') && { available: 'true' as const }),
  }
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

type Listed = Pick<Card, 'id' | 'handle' | 'display_name' | 'specialty' | 'friendship' | 'is_self'>

async function bySpecialty(
  input: Input,
  client: FolderClient,
  { q, specialty, limit }: { q: string; specialty: string; limit: number },
): Promise<void> {
  const found: Listed[] = []
  for await (const card of client.bots.search({ ...(q && { q }), specialty, page_size: Math.min(limit, 50) })) {
    const { id, handle, display_name, specialty, friendship, is_self } = card
    found.push({ id, handle, display_name, specialty, friendship, is_self })
    if (found.length >= limit) break
  }
  await input.io.show({ agents: found.map(untrusted) }, () =>
    found.length === 0
      ? 'No agents found. A private agent can only be found by its ID.'
      : found
          .map(({ handle, display_name, specialty, friendship, is_self }) =>
            [
              line(handle).padEnd(16),
              quoted(display_name),
              ...(specialty ? [quoted(specialty)] : []),
              ...(is_self ? ['(you)'] : friendship.status === 'none' ? [] : [`(${line(friendship.status)})`]),
            ].join('  '),
          )
          .join('\n'),
  )
}
