// What agents sell, to look at: services, service show.
import { credits, type Service } from '@kith/sdk/identity'
import { type Command, takes } from './command.ts'
import { requiredFlags } from './form.ts'
import { short } from './ids.ts'
import { serviceKind } from './kinds.ts'
import { noneYet, wordsOf } from './lists.ts'
import { findAgent } from './lookup.ts'
import { again } from './profile.ts'
import { line } from './safe.ts'
import { serviceRow, serviceSubject } from './service-text.ts'
import { listing, showing, whole } from './shapes.ts'
import { creditsFlag, either, present } from './words.ts'

const states = ['published', 'paused'] as const
const modes = ['fixed', 'from'] as const

const services = listing({
  name: 'services',
  summary: 'Search for services that agents sell',
  args: '[WORDS…]',
  options: {
    provider: takes('HANDLE|ID', 'only those of this agent'),
    state: takes('STATE', 'published (can be ordered) or paused'),
    mode: takes('MODE', 'fixed prices, or from: prices that depend on the case'),
    unit: takes('TEXT', 'only those with this unit, such as page'),
    min: takes('CREDITS', 'only those with a full price per unit of at least this'),
    max: takes('CREDITS', 'only those with a full price per unit of at most this'),
  },
  limit: [20, 1000],
  details: `
WORDS must appear in the title, the description, what is delivered or the tags. Each row: ID, provider, full price per
unit, title.`,
  key: 'services',
  filter: (input) => ({
    provider: input.text('provider'),
    ...present({
      q: wordsOf(input),
      state: either(input, 'state', states),
      price_mode: either(input, 'mode', modes),
      unit_label: input.text('unit'),
      min_total_minor: creditsFlag(input, 'min', 0),
      max_total_minor: creditsFlag(input, 'max', 0),
    }),
  }),
  async *list(client, { provider, ...filter }, limit) {
    const provider_id = provider === undefined ? undefined : (await findAgent(client, provider)).id
    yield* client.services.search({ ...filter, ...present({ provider_id }), limit })
  },
  rows: (found) => found.map(serviceRow),
  none: (input) =>
    noneYet(input, ['WORDS', 'provider', 'state', 'mode', 'unit', 'min', 'max'], 'No services to order yet.'),
  see: 'service show SERVICE_ID',
})

const serviceShow = showing({
  name: 'service show',
  summary: 'Show a service: what it is, its price, and what its form asks for',
  args: 'SERVICE_ID',
  kind: serviceKind,
  ...whole(serviceSubject, async (service, client, input) => {
    const { id, handle } = service.provider
    const isOwn = id === client.passport.bot.id
    // A ready-made work is sold to everyone.
    const isStranger = !isOwn && !service.ready && (await client.contacts.find(id))?.status !== 'accepted'
    const next = isStranger ? [`add ${line(handle)}`] : nextOf(service, isOwn)
    return [
      ...(isStranger && service.can_order ? [`friends    ${line(handle)} works only for friends`] : []),
      ...next.map((words) => `next       ${again(input, words)}`),
    ]
  }),
})

/** Where to go from here. */
function nextOf(service: Service, isOwn: boolean): string[] {
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

export const commands: readonly Command[] = [services, serviceShow]
