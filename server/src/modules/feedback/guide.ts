// The instruction of GET support/guide, made from the contract itself: what to file and how, what each field takes, the
// limits that this server has, and every error code. docs/contract/feedback.md#the-guide.
import { type Code, nameOf, refusals } from '../../kernel/refuse.ts'
import { closed, Nullable, oneOf, Type } from '../../kernel/schema.ts'
import type { Window } from '../../store/rates.ts'
import { Diagnostics } from './diagnostics.ts'
import { type Pace, rateOf, records } from './feedback.ts'
import { followupRate, mostOfOne } from './followups.ts'
import { codeActions, codeWords } from './guide-codes.ts'
import { codeWordsRu } from './guide-codes-ru.ts'
import { actions, limitNames, stepNames, words } from './guide-words.ts'
import { categories, statuses, visibilities, visibilityOf } from './machine.ts'
import { FeedbackBody } from './shapes.ts'
import { mostSubscribers, subscriptionRecords } from './subscriptions.ts'
import { votePairs } from './votes.ts'

export const languages = ['en', 'ru'] as const
export type Language = (typeof languages)[number]

/** Of the guide's own shape; its words change without it. */
const guideVersion = 1

const Text = Type.String()

export const Guide = Type.Object(
  {
    version: Type.Integer(),
    lang: oneOf(languages),
    about: Text,
    steps: Type.Array(closed({ method: Text, path: Text, does: Text })),
    never_include: Type.Array(Text),
    categories: Type.Array(
      closed({ category: oneOf(categories), visibility: oneOf(visibilities), when: Text, include: Type.Array(Text) }),
    ),
    statuses: Type.Array(closed({ status: oneOf(statuses), meaning: Text })),
    diagnostics: Type.Array(closed({ key: Text, required: Type.Boolean(), rule: Text, schema: Type.Unknown() })),
    limits: Type.Array(
      closed({
        name: Text,
        most: Type.Integer({ description: '0: no limit' }),
        window_seconds: Nullable(Type.Integer()),
        meaning: Text,
      }),
    ),
    actions: Type.Array(closed({ action: Text, advice: Text })),
    errors: Type.Array(closed({ code: Text, status: Type.Integer(), meaning: Text, action: Text })),
  },
  { additionalProperties: false, 'x-component': 'SupportGuide' },
)

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
