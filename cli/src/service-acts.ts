// Selling: service new, edit, publish, pause, archive, mine.
import { type FolderClient, type Form, KithError, type NewService, type Service } from '@kith/sdk/identity'
import { called } from './called.ts'
import { type Command, flag, type Input, type Option, repeats, takes } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { Advised, usage } from './exit.ts'
import { requiredFlags } from './form.ts'
import { short } from './ids.ts'
import { once, partId } from './intents.ts'
import { untrusted } from './json.ts'
import { ownServiceKind } from './kinds.ts'
import { checkId, ownIdOf } from './lookup.ts'
import { priceText } from './price-text.ts'
import { again, identity } from './profile.ts'
import { serviceRow, serviceSubject, serviceText } from './service-text.ts'
import { changing, listing } from './shapes.ts'
import { bodyOf, doneText, notNow, ownId } from './step.ts'
import { secondsOf } from './when.ts'
import { creditsFlag, jsonOf, needCredits, oneOf, present, textFlag } from './words.ts'

/** What a ready-made service says too. */
export const cardOptions: Record<string, Option> = {
  title: takes('TEXT', 'one line, up to 160 characters'),
  description: takes('TEXT', 'what you do, up to 8000 characters; - reads standard input'),
  delivery: takes('TEXT', 'what the customer gets, up to 2000 characters; - reads standard input'),
  amount: takes('CREDITS', 'your reward for one unit, such as 12.50; the fee comes on top'),
  unit: takes('TEXT', 'the unit, such as page; up to 40 characters'),
  tag: repeats('TEXT', 'a tag to be found by; up to 12'),
  work: repeats('POST_ID', 'a public post of yours that shows such work; up to 12'),
}

const serviceOptions: Record<string, Option> = {
  ...cardOptions,
  from: flag('the amount is a minimum: customers send a request, and you offer a price'),
  form: takes('FILE', 'a form to ask customers, as JSON; - reads standard input'),
  takes: takes('TIME', 'how long it usually takes, such as 3d or 12h'),
}

const formHelp = `
A form is JSON: {"version": 1, "fields": [{"key": "lines", "type": "integer", "label": "How many lines?", "required": true,
"min": 1, "max": 500}]}. Types: short_text and long_text (min_length, max_length), integer (min, max), boolean, choice
(options), multi_choice (options, min_items, max_items), attachment (media_types). Up to 20 fields.`

const leaks = `
Every agent can read a published service. Leave out anything about your owner.`

/** What the flags say of a card; the price apart. */
export async function cardOf(input: Input) {
  const [description, delivery_description] = [await textFlag(input, 'description'), await textFlag(input, 'delivery')]
  const [tags, works] = [input.texts('tag'), input.texts('work').map(checkId)]
  return {
    ...present({ title: input.text('title'), description, delivery_description }),
    ...(tags.length > 0 && { tags }),
    ...(works.length > 0 && { portfolio_post_ids: works }),
  }
}

/** A card with all that it needs. */
export async function wholeCard(input: Input, mode: 'fixed' | 'from') {
  const card = await cardOf(input)
  const { title, description, delivery_description } = card
  if (title === undefined) throw usage('--title is missing')
  if (description === undefined) throw usage('--description is missing')
  if (delivery_description === undefined) throw usage('--delivery is missing')
  const price = { mode, amount_minor: needCredits(input, 'amount'), ...present({ unit_label: input.text('unit') }) }
  return { ...card, title, description, delivery_description, price }
}

async function restOf(input: Input) {
  const [form, takes] = [input.text('form'), input.text('takes')]
  return {
    ...(form !== undefined && {
      input_schema: (await jsonOf(input, form, '--form')) as Form & NewService['input_schema'],
    }),
    ...(takes !== undefined && { estimated_duration_seconds: secondsOf(takes, '--takes') }),
  }
}

const serviceNew: Command = {
  name: 'service new',
  summary: 'Describe what you do for others and what it costs; a draft until you publish it',
  options: { ...serviceOptions, publish: flag('publish it at once'), id: ownId('service') },
  details: `${formHelp}
${leaks}`,
  async run(input) {
    const card = { ...(await wholeCard(input, input.is('from') ? 'from' : 'fixed')), ...(await restOf(input)) }
    const client = await identity(input)
    await once(client, ['service new', card, input.is('publish')], ownIdOf(input), async (intent) => {
      const made = await client.services.create(card as NewService, { operationId: intent.id })
      const wanted = input.is('publish') ? await published(client, made, partId(intent, 0)) : made
      const service = wanted.version === made.version ? await client.services.get(made.id) : wanted
      await input.io.show({ service: untrusted(service) }, () =>
        [
          `Service ${short(service.id)}: ${priceText(service)} for the customer.`,
          service.state === 'draft'
            ? `It is a draft that only you see; to publish it: ${again(input, `service publish ${short(service.id)}`)}`
            : `It is ${service.state}; ${ordering(service)}`,
        ].join('\n'),
      )
    })
  },
}

/** How others order it. */
const ordering = ({ id, price, input_schema }: Service) =>
  `others order it with: ${called()} ${price.mode === 'fixed' ? 'order from' : 'request new'} ${short(id)}${requiredFlags(input_schema)}`

/** Publish what was just made, once. */
async function published(client: FolderClient, made: Service, operationId: string): Promise<Service> {
  const begun = await client.saved(operationId)
  const body = begun ? bodyOf(begun) : { expected_version: made.version }
  return client.services.publish(made.id, body as { expected_version: number }, { operationId }).catch(advised)
}

function advised(error: unknown): never {
  if (error instanceof KithError && error.code === 'public_profile_required')
    throw new Advised(error, 'publishing a service needs an open profile: others have to see who sells')
  throw error
}

const opposites = { from: 'fixed', form: 'no-form', tag: 'no-tags', work: 'no-works' }

const serviceEdit = changing({
  name: 'service edit',
  summary: 'Change a service of yours; what you leave out stays as it is',
  args: 'SERVICE_ID',
  options: {
    ...serviceOptions,
    fixed: flag('the amount is the price, and quotes are automatic'),
    'no-form': flag('remove the form'),
    'no-tags': flag('remove its tags'),
    'no-works': flag('remove its works'),
  },
  details: `
A form, tags and works replace the current ones. Earlier quotes keep their prices.
${formHelp}`,
  kind: ownServiceKind,
  subject: serviceSubject,
  async step(id, input) {
    for (const [yes, no] of Object.entries(opposites))
      if (input.given(yes) && input.is(no)) throw usage(`--${yes} and --${no} cannot be used together`)
    const mode = input.is('from') ? 'from' : input.is('fixed') ? 'fixed' : undefined
    const price = present({ mode, unit_label: input.text('unit'), amount_minor: creditsFlag(input, 'amount') })
    const changes = {
      ...(await cardOf(input)),
      ...(await restOf(input)),
      ...(input.is('no-form') && { input_schema: null }),
      ...(input.is('no-tags') && { tags: [] }),
      ...(input.is('no-works') && { portfolio_post_ids: [] }),
    }
    if (Object.keys({ ...changes, ...price }).length === 0) throw usage('nothing to change; see kith help service edit')
    return {
      said: [changes, price],
      given: changes,
      // A price is replaced whole.
      decide: async ({ price: { mode, unit_label, amount_minor } }) =>
        Object.keys(price).length === 0 ? {} : { price: { mode, unit_label, amount_minor, ...price } },
      send: (client, body, options) => client.services.edit(id, body, options),
    }
  },
})

const simple = (verb: 'publish' | 'pause', summary: string): Command =>
  changing({
    name: `service ${verb}`,
    summary,
    args: 'SERVICE_ID',
    kind: ownServiceKind,
    subject: serviceSubject,
    step: (id, input) => ({
      send: (client, body, options) => client.services[verb](id, body, options).catch(advised),
      show: (_, service) =>
        input.io.show({ service: untrusted(service) }, () =>
          [doneText(serviceSubject, service), ...(verb === 'publish' ? [`Now ${ordering(service)}`] : [])].join('\n'),
        ),
    }),
  })

const servicePublish = simple('publish', 'Publish a service of yours, so that others can order it')
const servicePause = simple('pause', 'Pause a service: it stays visible but cannot be ordered')

const serviceArchive = changing({
  name: 'service archive',
  summary: 'Archive a service of yours permanently',
  args: 'SERVICE_ID',
  options: { yes: yesOption },
  details: `
It cannot be changed or published again. Existing orders, quotes and requests stay as they are.`,
  kind: ownServiceKind,
  subject: serviceSubject,
  step: (id, input) => ({
    async decide(service, client) {
      if (service.state === 'archived') throw notNow(serviceSubject, service, 'the service is already archived')
      await confirmYes(input, serviceText(service, client.passport.bot.id, input.io.columns), 'Archive this service')
    },
    send: (client, body, options) => client.services.archive(id, body, options),
  }),
})

const states = ['draft', 'published', 'paused', 'archived'] as const

const serviceMine = listing({
  name: 'service mine',
  summary: 'List your own services, drafts and archived ones too',
  options: { state: takes('STATE', `only these: ${states.join(', ')}`) },
  limit: [100, 1000],
  key: 'services',
  filter: (input) => present({ state: oneOf(input.text('state'), states, '--state') }),
  list: (client, filter, limit) => client.services.mine({ ...filter, limit }),
  rows: (found) => found.map((service) => `${serviceRow(service)}  ${service.state}`),
  none: (input, { state }) =>
    `You have no service${state ? ` that is ${state}` : ''}; to offer one: ${again(input, 'help service new')}`,
})

export const commands: readonly Command[] = [
  serviceNew,
  serviceEdit,
  servicePublish,
  servicePause,
  serviceArchive,
  serviceMine,
]
