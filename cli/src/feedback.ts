// Telling the service's staff, and hearing from it: feedback new, list, show, followup, guide; subscribe, unsubscribe,
// subscriptions.
import { type Diagnostics, KithError, type NewFeedback } from '@kith/sdk/node'
import type { Command, Input, Option } from './command.ts'
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
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { feedbackKind } from './kinds.ts'
import { noneYet, upTo } from './lists.ts'
import { checkId } from './lookup.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { doneText, ownId, stepOptions, takeStep } from './step.ts'
import { jsonOf, needMainText, needOne, needText, oneOf, textOptions } from './words.ts'

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
  Object.values(diagnosticFlags).map(([flag, value, help]) => [flag, { type: 'string', value, help }]),
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

export const feedbackNew: Command = {
  name: 'feedback new',
  group: 'Feedback',
  summary: "Report a problem to the service's staff, or ask them; nobody else can read it",
  args: 'problem|question',
  takes: [1, 1],
  options: {
    title: { type: 'string', value: 'TEXT', help: 'one line, up to 160 characters' },
    ...textOptions('up to 5000 characters', 'body'),
    ...diagnosticOptions,
    diagnostics: { type: 'string', value: 'FILE', help: 'the same as JSON; - reads standard input' },
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
    const own = input.text('id')
    const client = await identity(input)
    await once(client, ['feedback new', body], own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      const made = await client.feedback.create(body, { operationId: intent.id })
      const record = begun ? await client.feedback.get(made.id) : made
      const id = short(record.id)
      await input.io.show({ feedback: untrusted(record) }, () =>
        [`Filed: ${id}`, `To follow it: ${again(input, `feedback show ${id}`)}`].join('\n'),
      )
    })
  },
}

/** Which records a list shows. */
export const recordFilters: Record<string, Option> = {
  category: { type: 'string', value: 'CATEGORY', help: `only these: ${categories.join(', ')}` },
  visibility: { type: 'string', value: 'VISIBILITY', help: 'only these: public, private' },
  status: { type: 'string', value: 'STATUS', help: `only these: ${statuses.join(', ')}` },
  limit: { type: 'string', value: 'N', help: 'how many (default: 50)' },
}

export function recordFilterOf(input: Input) {
  const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
  const category = oneOf(input.text('category'), categories, '--category')
  const visibility = oneOf(input.text('visibility'), ['public', 'private'], '--visibility')
  const status = oneOf(input.text('status'), statuses, '--status')
  const filter = {
    ...(category && { category }),
    ...(visibility && { visibility }),
    ...(status && { status }),
    page_size: Math.min(limit, 50),
  }
  return { limit, filter }
}

export const feedbackList: Command = {
  name: 'feedback list',
  group: 'Feedback',
  summary: 'List your ideas, problems and questions, newest first',
  args: '',
  takes: [0, 0],
  options: recordFilters,
  async run(input) {
    const { limit, filter } = recordFilterOf(input)
    const client = await identity(input)
    const found = await upTo(limit, client.feedback.list(filter))
    await input.io.show(
      { feedback: untrusted(found) },
      () =>
        found.map(recordRow).join('\n') ||
        noneYet(
          input,
          ['category', 'visibility', 'status'],
          `You have filed no feedback yet: ${again(input, 'help feedback new')}`,
        ),
    )
  },
}

export const feedbackShow: Command = {
  name: 'feedback show',
  group: 'Feedback',
  summary: 'Show a record of yours, or an idea of someone else, with its answers and additions',
  args: 'FEEDBACK_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, feedbackKind, input.args[0]!)
    const client = await identity(input)
    const record = await client.feedback.get(id).catch((error) => {
      if (error instanceof KithError && error.code === 'not_found') return client.ideas.get(id)
      throw error
    })
    const isPrivate = record.visibility === 'private'
    const [updates, followups] = await Promise.all([
      upTo(1000, client.feedback.updates(id, { page_size: 50 })),
      isPrivate ? upTo(100, client.feedback.followUps(id, { page_size: 50 })) : [],
    ])
    const data = { feedback: untrusted(record), updates: untrusted(updates), followups: untrusted(followups) }
    await input.io.show(data, () =>
      [
        recordText(record, client.passport.bot.id, input.io.columns),
        ...talkText(updates, followups, input.io.columns),
        ...(isPrivate ? [`to add     ${again(input, `feedback followup ${short(id)} TEXT`)}`] : []),
      ].join('\n'),
    )
  },
}

export const feedbackFollowUp: Command = {
  name: 'feedback followup',
  group: 'Feedback',
  summary: 'Add to a problem or question of yours',
  args: 'FEEDBACK_ID [TEXT]',
  takes: [1, 2],
  options: { ...textOptions('the same as TEXT'), ...stepOptions, id: ownId('addition') },
  details: `
TEXT has up to 5000 characters; - reads standard input. It does not change the status. With --expect-version, nothing is added
if staff have answered since: read the answer first.`,
  async run(input) {
    const [record, written] = input.args as [string, string | undefined]
    const id = await idOf(input, feedbackKind, record)
    const body = await needMainText(input, [], written)
    const own = input.text('id')
    await takeStep(input, feedbackSubject, {
      id,
      content: ['feedback followup', id, body],
      own: own === undefined ? undefined : checkId(own),
      given: { body },
      send: (client, ask, operationId) => client.feedback.followUp(id, { ...ask, body }, { operationId }),
      of: ({ feedback }) => feedback,
      show: ({ followup }, feedback) =>
        input.io.show(
          { feedback: untrusted(feedback), followup: untrusted(followup) },
          () => `Added. ${doneText(feedbackSubject, feedback)}`,
        ),
    })
  },
}

export const feedbackGuide: Command = {
  name: 'feedback guide',
  group: 'Feedback',
  summary: 'Print as JSON what to file when, the rules, the limits and what each error code means',
  args: '',
  takes: [0, 0],
  options: { lang: { type: 'string', value: 'LANG', help: 'en or ru (default: en)' } },
  async run(input) {
    const lang = oneOf(input.text('lang'), ['en', 'ru'], '--lang')
    const client = await identity(input)
    const guide = await client.feedback.guide(lang)
    await input.io.show({ guide }, () => JSON.stringify(guide, null, 2).split('\n').map(line).join('\n'))
  },
}

const subscribing = (verb: 'subscribe' | 'unsubscribe', summary: string, details: string): Command => ({
  name: verb,
  group: 'Feedback',
  summary,
  args: 'FEEDBACK_ID',
  takes: [1, 1],
  options: {},
  details,
  async run(input) {
    const id = await idOf(input, feedbackKind, input.args[0]!)
    const client = await identity(input)
    const subscription = await client.feedback[verb](id)
    await input.io.show({ subscription }, () => subscriptionText(subscription))
  },
})

export const subscribe = subscribing(
  'subscribe',
  'Subscribe to answers to an idea, from now on',
  `
The event feedback.changed announces them. You are subscribed to your own records from the start. Subscribing again changes
nothing.`,
)
export const unsubscribe = subscribing(
  'unsubscribe',
  'Unsubscribe from an idea, or from a record of yours',
  `
Answers that were not delivered yet are dropped as well.`,
)

export const subscriptions: Command = {
  name: 'subscriptions',
  group: 'Feedback',
  summary: 'List your subscriptions: your own records, and ideas',
  args: '',
  takes: [0, 0],
  options: { limit: { type: 'string', value: 'N', help: 'how many (default: 50)' } },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const client = await identity(input)
    const found = await upTo(limit, client.feedback.subscriptions({ page_size: Math.min(limit, 50) }))
    await input.io.show(
      { subscriptions: found },
      () =>
        found.map(subscriptionText).join('\n') ||
        `No subscriptions yet: ${again(input, 'subscribe IDEA_ID')} notifies you of answers.`,
    )
  },
}
