// The instruction of GET support/guide, made from the contract itself: what to file and how, what each field takes, the
// limits that this server has, and every error code. docs/contract/feedback.md#the-guide.
import { type Code, nameOf, refusals } from '../../kernel/refuse.ts'
import { closed, described, Nullable, named, oneOf, Type } from '../../kernel/schema.ts'
import type { Window } from '../../quotas/rates.ts'
import { Diagnostics } from './diagnostics.ts'
import { type Pace, rateOf, records } from './feedback.ts'
import { followupRate, mostOfOne } from './followups.ts'
import { codeActions, codeWords } from './guide-codes.ts'
import { codeWordsRu } from './guide-codes-ru.ts'
import { actions, type Language, languages, limitNames, stepNames, words } from './guide-words.ts'
import { categories, statuses, visibilities, visibilityOf } from './machine.ts'
import { FeedbackBody } from './shapes.ts'
import { mostSubscribers, subscriptionRecords } from './subscriptions.ts'
import { votePairs } from './votes.ts'

/** Of the guide's own shape; its words change without it. */
const guideVersion = 1

const Text = Type.String()

export const Guide = named('SupportGuide', 'How to get help and report problems, for programs to read', {
  version: described(Type.Integer(), 'Rises when the guide changes'),
  lang: described(oneOf(languages), 'The language it is in'),
  about: described(Text, 'What feedback is for'),
  steps: described(
    Type.Array(
      closed({
        method: described(Text, 'Of the request'),
        path: described(Text, 'Of the request'),
        does: described(Text, 'What it does'),
      }),
    ),
    'What to do, in order',
  ),
  never_include: described(Type.Array(Text), 'What must never be in a record'),
  categories: described(
    Type.Array(
      closed({
        category: described(oneOf(categories), 'Its name in a request'),
        visibility: described(oneOf(visibilities), 'Who reads it'),
        when: described(Text, 'When to use it'),
        include: described(Type.Array(Text), 'What to include'),
      }),
    ),
    'What can be filed',
  ),
  statuses: described(
    Type.Array(closed({ status: described(oneOf(statuses), 'Its name'), meaning: described(Text, 'What it means') })),
    'A status a record may have',
  ),
  diagnostics: described(
    Type.Array(
      closed({
        key: described(Text, 'Its name in a request'),
        required: described(Type.Boolean(), 'Whether diagnostics require it'),
        rule: described(Text, 'What it takes, in words'),
        schema: described(Type.Unknown(), 'What it takes, as JSON Schema'),
      }),
    ),
    'What can be said about a failed request',
  ),
  limits: described(
    Type.Array(
      closed({
        name: described(Text, 'What is limited'),
        most: Type.Integer({ description: '0: no limit' }),
        window_seconds: described(Nullable(Type.Integer()), 'The time window; null for a total'),
        meaning: described(Text, 'In words'),
      }),
    ),
    'The limits on what you can file',
  ),
  actions: described(
    Type.Array(closed({ action: described(Text, 'Its name in `errors`'), advice: described(Text, 'What to do') })),
    'How a client should react to an error',
  ),
  errors: described(
    Type.Array(
      closed({
        code: described(Text, 'Its name'),
        status: described(Type.Integer(), 'The HTTP status it comes with'),
        meaning: described(Text, 'What it means'),
        action: described(Text, 'What to do: one of `actions`'),
      }),
    ),
    'Every error code',
  ),
})

const steps = {
  look: { method: 'GET', path: '/api/v1/feedback/ideas' },
  file: { method: 'POST', path: '/api/v1/feedback' },
  read: { method: 'GET', path: '/api/v1/feedback/{feedback_id}' },
  listen: { method: 'GET', path: '/ws/v1/events/' },
  add: { method: 'POST', path: '/api/v1/feedback/{feedback_id}/followups' },
  vote: { method: 'PUT', path: '/api/v1/feedback/ideas/{idea_id}/vote' },
} as const satisfies Record<(typeof stepNames)[number], object>

type Most = Record<(typeof limitNames)[number], { most: number; window?: number }>

function limitsOf(pace: Pace): Most {
  const [perHour, perDay] = rateOf(pace).windows as [Window, Window]
  const [followupsPerHour, followupsPerDay] = followupRate.windows
  const { title, body } = FeedbackBody.properties as Record<'title' | 'body', { maxLength?: number }>
  return {
    records_per_hour: ofWindow(perHour),
    records_per_day: ofWindow(perDay),
    records_of_agent: { most: records.party },
    followups_per_hour: ofWindow(followupsPerHour),
    followups_per_day: ofWindow(followupsPerDay),
    followups_of_record: { most: mostOfOne },
    votes_of_agent: { most: votePairs.party },
    subscriptions_of_agent: { most: subscriptionRecords.party },
    subscriptions_of_record: { most: mostSubscribers },
    title_characters: { most: title.maxLength as number },
    body_characters: { most: body.maxLength as number },
  }
}

const ofWindow = ({ period, most }: Window) => ({ most, window: period / 1000 })

/** The guide in a language, with the limits that this server has. */
export function guide(pace: Pace, lang: Language) {
  const { about, neverInclude, ...said } = words[lang]
  const means = lang === 'ru' ? codeWordsRu : codeWords
  const limits = limitsOf(pace)
  return {
    version: guideVersion,
    lang,
    about,
    steps: stepNames.map((name) => ({ ...steps[name], does: said.steps[name] })),
    never_include: [...neverInclude],
    categories: categories.map((category) => {
      const { when, include } = said.categories[category]
      return { category, visibility: visibilityOf[category], when, include: [...include] }
    }),
    statuses: statuses.map((status) => ({ status, meaning: said.statuses[status] })),
    diagnostics: diagnosticKeys.map((key) => ({
      key,
      required: (Diagnostics.required as readonly string[]).includes(key),
      rule: said.diagnostics[key],
      schema: Diagnostics.properties[key],
    })),
    limits: limitNames.map((name) => {
      const { most, window = null } = limits[name]
      return { name, most, window_seconds: window, meaning: said.limits[name] }
    }),
    actions: actions.map((action) => ({ action, advice: said.actions[action] })),
    errors: (Object.keys(refusals) as Code[]).map((code) => ({
      code: nameOf(code),
      status: refusals[code],
      meaning: means[code],
      action: codeActions[code],
    })),
  }
}

const diagnosticKeys = Object.keys(Diagnostics.properties) as (keyof typeof Diagnostics.properties)[]
