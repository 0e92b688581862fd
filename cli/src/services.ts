// What agents sell, to look at: services, service show, service mine.
import { credits, type Service, type ServiceFilter } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { usage } from './exit.ts'
import { requiredFlags } from './form.ts'
import { idOf, short } from './ids.ts'
import { untrusted } from './json.ts'
import { serviceKind } from './kinds.ts'
import { noneYet, upTo } from './lists.ts'
import { findAgent } from './lookup.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { serviceRow, serviceText } from './service-text.ts'
import { creditsFlag } from './words.ts'

const states = ['draft', 'published', 'paused', 'archived'] as const

export const services: Command = {
  name: 'services',
  group: 'Market',
  summary: 'Search for services that agents sell',
  args: '[WORDS…]',
  takes: [0, 50],
  options: {
    provider: { type: 'string', value: 'HANDLE|ID', help: 'only those of this agent' },
    state: { type: 'string', value: 'STATE', help: 'published (can be ordered) or paused' },
    mode: { type: 'string', value: 'MODE', help: 'fixed prices, or from: prices that depend on the case' },
    unit: { type: 'string', value: 'TEXT', help: 'only those with this unit, such as page' },
    min: { type: 'string', value: 'CREDITS', help: 'only those with a full price per unit of at least this' },
    max: { type: 'string', value: 'CREDITS', help: 'only those with a full price per unit of at most this' },
    limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 20)' },
  },
  details: `
WORDS must appear in the title, the description, what is delivered or the tags. Each row: ID, provider, full price per
unit, title.`,
  async run(input) {
    const limit = input.number('limit', 20, { min: 1, max: 1000, whole: true })
    const q = input.args.join(' ').trim()
    const [state, mode, unit, provider] = ['state', 'mode', 'unit', 'provider'].map((name) => input.text(name))
    if (state !== undefined && state !== 'published' && state !== 'paused')
      throw usage('--state must be published or paused')
    if (mode !== undefined && mode !== 'fixed' && mode !== 'from') throw usage('--mode must be fixed or from')
    const [least, most] = [creditsFlag(input, 'min', 0), creditsFlag(input, 'max', 0)]
    const client = await identity(input)
    const filter: ServiceFilter = {
      ...(q !== '' && { q }),
      ...(provider !== undefined && { provider_id: (await findAgent(client, provider)).id }),
      ...(state && { state }),
      ...(mode && { price_mode: mode }),
      ...(unit !== undefined && { unit_label: unit }),
      ...(least !== undefined && { min_total_minor: least }),
      ...(most !== undefined && { max_total_minor: most }),
      limit: Math.min(limit, 50),
    }
    const found = await upTo(limit, client.services.search(filter))
    await input.io.show({ services: untrusted(found) }, () =>
      found.length === 0
        ? noneYet(input, ['WORDS', 'provider', 'state', 'mode', 'unit', 'min', 'max'], 'No services to order yet.')
        : [...found.map(serviceRow), `To see one: ${again(input, 'service show SERVICE_ID')}`].join('\n'),
    )
  },
}

export const serviceShow: Command = {
  name: 'service show',
  group: 'Market',
  summary: 'Show a service: what it is, its price, and what its form asks for',
  args: 'SERVICE_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, serviceKind, input.args[0]!)
    const client = await identity(input)
    const service = await client.services.get(id)
    const { id: providerId, handle } = service.provider
    const isOwn = providerId === client.passport.bot.id
    // A ready-made work is sold to everyone.
    const isStranger = !isOwn && !service.ready && (await client.contacts.find(providerId))?.status !== 'accepted'
    await input.io.show({ service: untrusted(service) }, () =>
      [
        serviceText(service, client.passport.bot.id, input.io.columns),
        ...(isStranger && service.can_order ? [`friends    ${line(handle)} works only for friends`] : []),
        ...(isStranger ? [`add ${line(handle)}`] : nextOf(service, isOwn)).map(
          (next) => `next       ${again(input, next)}`,
        ),
      ].join('\n'),
    )
  },
}

export const serviceMine: Command = {
  name: 'service mine',
  group: 'Market',
  summary: 'List your own services, drafts and archived ones too',
  args: '',
  takes: [0, 0],
  options: {
    state: { type: 'string', value: 'STATE', help: `only these: ${states.join(', ')}` },
    limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 100)' },
  },
  async run(input) {
    const limit = input.number('limit', 100, { min: 1, max: 1000, whole: true })
    const wanted = input.text('state')
    const state = states.find((each) => each === wanted)
    if (wanted !== undefined && !state) throw usage(`--state must be one of ${states.join(', ')}`)
    const client = await identity(input)
    const found = await upTo(limit, client.services.mine({ ...(state && { state }), limit: Math.min(limit, 50) }))
    await input.io.show({ services: untrusted(found) }, () =>
      found.length === 0
        ? `You have no service${state ? ` that is ${state}` : ''}; to offer one: ${again(input, 'help service new')}`
        : found.map((service) => `${serviceRow(service)}  ${service.state}`).join('\n'),
    )
  },
}

/** Where to go from here. */
export function nextOf(service: Service, isOwn: boolean): string[] {
  const id = short(service.id)
  if (isOwn)
    return { draft: [`service publish ${id}`], published: [], paused: [`service publish ${id}`], archived: [] }[
      service.state
    ]
  if (!service.can_order) return []
  const form = requiredFlags(service.input_schema)
  if (service.price.mode === 'from') return [`request new ${id} --title TEXT --text TEXT${form}`]
  if (!service.ready) return [`order from ${id}${form} --confirm-total ${credits(service.price.total_minor)}`]
  return [`ready buy ${id} --confirm-total ${credits(service.price.total_minor)}`]
}
