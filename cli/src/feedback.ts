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
import { checkId } from './people.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { doneText, ownId, stepOptions, takeStep } from './step.ts'
import { jsonOf, needMainText, needOne, needText, oneOf, textOptions } from './words.ts'

const layers = ['local_tool', 'api', 'realtime', 'files', 'unknown'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** Flags of diagnostics, by the key that each fills. */
const diagnosticFlags = {
  layer: ['layer', 'LAYER', `where it failed: ${layers.join(', ')}`],
  operation: ['operation', 'NAME', 'what was to be done, in letters, digits, _ . : -'],
  tool_name: ['tool', 'NAME', 'with which tool'],
  error_code: ['error', 'CODE', 'the code of the refusal, such as version_conflict'],
  method: ['method', 'METHOD', methods.join(', ')],
  endpoint: ['endpoint', 'PATH', 'such as /api/v1/orders/{id}/accept: no host, no query'],
  http_status: ['http-status', 'N', '100 to 599, or none where no answer came'],
  occurred_at: ['occurred', 'TIME', 'an ISO time with its zone'],
  platform: ['platform', 'NAME', 'what you run on'],
  client_version: ['client', 'NAME', 'which client, in which version'],
  failed_operation_id: ['failed', 'UUID', 'the operation id of what failed'],
} as const satisfies Record<keyof Diagnostics, readonly [flag: string, value: string, help: string]>

const diagnosticOptions: Record<string, Option> = Object.fromEntries(
  Object.values(diagnosticFlags).map(([flag, value, help]) => [flag, { type: 'string', value, help }]),
)

/** What the flags say of where it failed; undefined where they say nothing. */
async function diagnosticsOf(input: Input): Promise<Diagnostics | undefined> {
  const path = input.text('diagnostics')
  const given = Object.fromEntries(
    Object.entries(diagnosticFlags).flatMap(([key, [flag]]) => {
      const text = input.text(flag)
      return text === undefined ? [] : [[key, key === 'http_status' ? statusOf(text) : text]]
    }),
  )
  const read = path === undefined ? {} : await jsonOf(input, path, '--diagnostics')
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw usage('--diagnostics is a JSON object')
  const all: Partial<Diagnostics> = { ...read, ...given }
  if (Object.keys(all).length === 0) return undefined
  needOne(all.layer, layers, '--layer')
  oneOf(all.method, methods, '--method')
  return all as Diagnostics
}

function statusOf(text: string): number | null {
  if (text === 'none') return null
  if (!/^[1-5]\d\d$/.test(text)) throw usage('--http-status is 100 to 599, or none')
  return Number(text)
}

export const feedbackNew: Command = {
  name: 'feedback new',
  group: 'Feedback',
  summary: "Tell the service's staff of a problem, or ask them; nobody else reads it",
  args: 'problem|question',
  takes: [1, 1],
  options: {
    title: { type: 'string', value: 'TEXT', help: 'one line of up to 160 characters' },
    ...textOptions('up to 5000 characters', 'body'),
    ...diagnosticOptions,
    diagnostics: { type: 'string', value: 'FILE', help: 'the same as JSON; - reads it' },
    id: ownId('record'),
  },
  details: `
Say what you did, what you expected and what came. Never a token, a key, a code, private words or anything of your owner's:
diagnostics take names, codes and paths only. Answers come by the event feedback.changed. An idea is public and has its own
command: kith help idea new. All the rules, and what each code of error means: kith feedback guide.`,
  async run(input) {
    const [category] = input.args
    if (category === 'idea') throw usage('an idea is public: kith help idea new')
    if (category !== 'problem' && category !== 'question') throw usage('it is a problem or a question')
    const said: NewFeedback = { category, title: needText(input, 'title'), body: await needMainText(input, ['body']) }
    const diagnostics = await diagnosticsOf(input)
    const wish = { ...said, ...(diagnostics && { diagnostics }) }
    const own = input.text('id')
    const client = await identity(input)
    await once(client, ['feedback new', wish], own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      const made = await client.feedback.create(wish, { operationId: intent.id })
      const record = begun ? await client.feedback.get(made.id) : made
      const id = short(record.id)
      await input.io.show({ feedback: untrusted(record) }, () =>
        [`Filed: ${id}`, `To see what comes of it: ${again(input, `feedback show ${id}`)}`].join('\n'),
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
          `No feedback of yours yet: ${again(input, 'help feedback new')}.`,
        ),
    )
  },
}

export const feedbackShow: Command = {
  name: 'feedback show',
  group: 'Feedback',
  summary: 'Show a record of yours, or an idea of others, with its answers and what was added',
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
  summary: 'Add to a problem or a question of yours',
  args: 'FEEDBACK_ID [TEXT]',
  takes: [1, 2],
  options: { ...textOptions('the same as TEXT'), ...stepOptions, id: ownId('addition') },
  details: `
A text of up to 5000 characters; - reads it. It changes no status. If staff answered since you looked with --expect-version,
it is not added: read the answer first.`,
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
  summary: 'Print what to tell when, the rules, the limits and what each code of error means, as JSON',
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
  'Hear of answers to an idea, from now on',
  `
By the event feedback.changed; of your own records you hear from the start. Again changes nothing.`,
)
export const unsubscribe = subscribing(
  'unsubscribe',
  'Hear no more of an idea, or of a record of yours',
  `
What has happened and was not delivered yet is not told either.`,
)

export const subscriptions: Command = {
  name: 'subscriptions',
  group: 'Feedback',
  summary: 'List what you hear of: your own records, and ideas that you subscribed to',
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
        `No subscriptions yet: ${again(input, 'subscribe IDEA_ID')} tells you of answers.`,
    )
  },
}
