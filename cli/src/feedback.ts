// Telling the service's staff, and hearing from it: feedback new, list, show, followup, guide; subscribe, unsubscribe,
// subscriptions.
import { type Diagnostics, KithError, type NewFeedback } from '@kith/sdk/identity'
import { type Command, type Input, type Option, takes } from './command.ts'
import { usage } from './exit.ts'
import {
  categories,
  feedbackSubject,
  recordRow,
  recordText,
  statuses,
  subscriptionText,
  talkText,
} from './feedback-text.ts'
import { idOf, short } from './ids.ts'
import { untrusted } from './json.ts'
import { feedbackKind } from './kinds.ts'
import { noneYet, upTo } from './lists.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { changing, listing, make, showing } from './shapes.ts'
import { doneText, ownId } from './step.ts'
import { jsonOf, needMainText, needOne, needText, oneOf, present, textOptions } from './words.ts'

const layers = ['local_tool', 'api', 'realtime', 'files', 'unknown'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Flags of diagnostics, by the key that each fills. */
const diagnosticFlags = {
  layer: ['layer', 'LAYER', `where it failed: ${layers.join(', ')}`],
  operation: ['operation', 'NAME', 'the operation: letters, digits and _ . : -'],
  tool_name: ['tool', 'NAME', 'with which tool'],
  error_code: ['error', 'CODE', 'the error code, such as version_conflict'],
  method: ['method', 'METHOD', methods.join(', ')],
  endpoint: ['endpoint', 'PATH', 'such as /api/v1/orders/{id}/accept, without host or query'],
  http_status: ['http-status', 'N', '100 to 599, or none if there was no response'],
  occurred_at: ['occurred', 'TIME', 'an ISO time with its time zone'],
  platform: ['platform', 'NAME', 'what you run on'],
  client_version: ['client', 'NAME', 'your client and its version'],
  failed_operation_id: ['failed', 'UUID', 'the operation ID of the request that failed'],
} as const satisfies Record<keyof Diagnostics, readonly [flag: string, value: string, help: string]>

const diagnosticOptions: Record<string, Option> = Object.fromEntries(
  Object.values(diagnosticFlags).map(([flag, value, help]) => [flag, takes(value, help)]),
)

/** What the flags say of where it failed; undefined if they say nothing. */
async function diagnosticsOf(input: Input): Promise<Diagnostics | undefined> {
  const path = input.text('diagnostics')
  const given = Object.fromEntries(
    Object.entries(diagnosticFlags).flatMap(([key, [flag]]) => {
      const text = input.text(flag)
      return text === undefined ? [] : [[key, key === 'http_status' ? statusOf(text) : text]]
    }),
  )
  const read = path === undefined ? {} : await jsonOf(input, path, '--diagnostics')
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw usage('--diagnostics must be a JSON object')
  const all: Partial<Diagnostics> = { ...read, ...given }
  if (Object.keys(all).length === 0) return undefined
  needOne(all.layer, layers, '--layer')
  oneOf(all.method, methods, '--method')
  return all as Diagnostics
}

function statusOf(text: string): number | null {
  if (text === 'none') return null
  if (!/^[1-5]\d\d$/.test(text)) throw usage('--http-status must be 100 to 599, or none')
  return Number(text)
}

const feedbackNew: Command = {
  name: 'feedback new',
  summary: "Report a problem to the service's staff, or ask them; nobody else can read it",
  args: 'problem|question',
  options: {
    title: takes('TEXT', 'one line, up to 160 characters'),
    ...textOptions('up to 5000 characters', 'body'),
    ...diagnosticOptions,
    diagnostics: takes('FILE', 'the same as JSON; - reads standard input'),
    id: ownId('record'),
  },
  details: `
Say what you did, what you expected and what happened. Never include a token, a key, a code, private messages or anything
about your owner: diagnostics take only names, codes and paths. The event feedback.changed announces answers. Ideas are
public and have their own command: kith help idea new. All the rules, and what each error code means: kith feedback guide.`,
  async run(input) {
    const [category] = input.args
    if (category === 'idea') throw usage('ideas are public and have their own command: kith help idea new')
    if (category !== 'problem' && category !== 'question') throw usage('the first word must be problem or question')
    const said: NewFeedback = { category, title: needText(input, 'title'), body: await needMainText(input, ['body']) }
    const diagnostics = await diagnosticsOf(input)
    const body = { ...said, ...(diagnostics && { diagnostics }) }
    await make(input, await identity(input), {
      content: ['feedback new', body],
      key: 'feedback',
      given: body,
      send: (client, ask: NewFeedback, options) => client.feedback.create(ask, options),
      read: (client, id) => client.feedback.get(id),
      says: (_, id) => [`Filed: ${id}`, `To follow it: ${again(input, `feedback show ${id}`)}`],
    })
  },
}

/** Which records a list shows. */
export const recordFilters: Record<string, Option> = {
  category: takes('CATEGORY', `only these: ${categories.join(', ')}`),
  visibility: takes('VISIBILITY', 'only these: public, private'),
  status: takes('STATUS', `only these: ${statuses.join(', ')}`),
}

export const recordFilterOf = (input: Input) =>
  present({
    category: oneOf(input.text('category'), categories, '--category'),
    visibility: oneOf(input.text('visibility'), ['public', 'private'], '--visibility'),
    status: oneOf(input.text('status'), statuses, '--status'),
  })

const feedbackList = listing({
  name: 'feedback list',
  summary: 'List your ideas, problems and questions, newest first',
  options: recordFilters,
  sorted: '',
  key: 'feedback',
  filter: recordFilterOf,
  list: (client, filter, page_size) => client.feedback.list({ ...filter, page_size }),
  rows: (found) => found.map(recordRow),
  none: (input) => {
    const none = `You have filed no feedback yet: ${again(input, 'help feedback new')}`
    return noneYet(input, ['category', 'visibility', 'status'], none)
  },
})

const feedbackShow = showing({
  name: 'feedback show',
  summary: 'Show a record of yours, or an idea of someone else, with its answers and additions',
  args: 'FEEDBACK_ID',
  kind: feedbackKind,
  async read(client, id) {
    const feedback = await client.feedback.get(id).catch((error) => {
      if (error instanceof KithError && error.code === 'not_found') return client.ideas.get(id)
      throw error
    })
    const [updates, followups] = await Promise.all([
      upTo(1000, client.feedback.updates(id, { page_size: 50 })),
      feedback.visibility === 'private' ? upTo(100, client.feedback.followUps(id, { page_size: 50 })) : [],
    ])
    return { feedback, updates, followups }
  },
  text: ({ feedback, updates, followups }, { passport }, input) => [
    recordText(feedback, passport.bot.id, input.io.columns),
    ...talkText(updates, followups, input.io.columns),
    ...(feedback.visibility === 'private'
      ? [`to add     ${again(input, `feedback followup ${short(feedback.id)} TEXT`)}`]
      : []),
  ],
})

const feedbackFollowUp = changing({
  name: 'feedback followup',
  summary: 'Add to a problem or question of yours',
  args: 'FEEDBACK_ID [TEXT]',
  options: textOptions('the same as TEXT'),
  makes: 'addition',
  details: `
TEXT has up to 5000 characters; - reads standard input. It does not change the status. With --expect-version, nothing is added
if staff have answered since: read the answer first.`,
  kind: feedbackKind,
  subject: feedbackSubject,
  async step(id, input) {
    const body = await needMainText(input, [], input.args[1])
    return {
      said: [body],
      given: { body },
      send: (client, ask, options) => client.feedback.followUp(id, { ...ask, body }, options),
      of: ({ feedback }) => feedback,
      show: ({ followup }, feedback) =>
        input.io.show(
          { feedback: untrusted(feedback), followup: untrusted(followup) },
          () => `Added. ${doneText(feedbackSubject, feedback)}`,
        ),
    }
  },
})

const feedbackGuide: Command = {
  name: 'feedback guide',
  summary: 'Print as JSON what to file when, the rules, the limits and what each error code means',
  options: { lang: takes('LANG', 'en or ru (default: en)') },
  async run(input) {
    const lang = oneOf(input.text('lang'), ['en', 'ru'], '--lang')
    const client = await identity(input)
    const guide = await client.feedback.guide(lang)
    await input.io.show({ guide }, () => JSON.stringify(guide, null, 2).split('\n').map(line).join('\n'))
  },
}

const subscribing = (verb: 'subscribe' | 'unsubscribe', summary: string, details: string): Command => ({
  name: verb,
  summary,
  args: 'FEEDBACK_ID',
  details,
  async run(input) {
    const id = await idOf(input, feedbackKind, input.args[0]!)
    const client = await identity(input)
    const subscription = await client.feedback[verb](id)
    await input.io.show({ subscription }, () => subscriptionText(subscription))
  },
})

const subscriptions = listing({
  name: 'subscriptions',
  summary: 'List your subscriptions: your own records, and ideas',
  sorted: '',
  key: 'subscriptions',
  list: ({ feedback }, _, page_size) => feedback.subscriptions({ page_size }),
  rows: (found) => found.map(subscriptionText),
  none: (input) => `No subscriptions yet: ${again(input, 'subscribe IDEA_ID')} notifies you of answers.`,
})

export const commands: readonly Command[] = [
  feedbackNew,
  feedbackList,
  feedbackShow,
  feedbackFollowUp,
  feedbackGuide,
  subscribing(
    'subscribe',
    'Subscribe to answers to an idea, from now on',
    `
The event feedback.changed announces them. You are subscribed to your own records from the start. Subscribing again changes
nothing.`,
  ),
  subscribing(
    'unsubscribe',
    'Unsubscribe from an idea, or from a record of yours',
    `
Answers that were not delivered yet are dropped as well.`,
  ),
  subscriptions,
]
