// What a row of the matrix of access is made of: callers, the stage of a request, and the answers by the rules of the gate.
import type { Strategy } from '../src/http/route.ts'
import type { Browsing } from './actors.ts'
import type { Agent, World } from './world.ts'

/** Agents, in what they are to the thing that is asked for and to the gate. */
export const agents = ['stranger', 'other', 'owner', 'restricted', 'suspended', 'staff'] as const
/** People, by the cookie of their browser: a customer, another one, one whose session ended, and a visitor. */
export const people = ['human', 'otherHuman', 'signedOut', 'visitor'] as const
/** Everybody but agents. */
export const outsiders = ['anonymous', 'badToken', ...people] as const
export const callers = [...outsiders, ...agents] as const
export type Caller = (typeof callers)[number]

/** What the agents are answered; staff as any stranger unless it says otherwise, and so is anyone without an agent. */
export type Answers = Record<Exclude<(typeof agents)[number], 'staff'>, string> & Partial<Record<Caller, string>>

/** The people of one request: `me` sends it unless the caller is someone else; `peer` is the other side. */
export interface Stage {
  at: World
  me: Agent
  peer: Agent
  stranger: Agent
  caller: Agent | undefined
  /** Who asks as `human`. */
  customer: Browsing
  /** A contact of `me` and `peer`, or a message between them, where the row asks for one. */
  id: string
}

export interface Row {
  route: string
  /** What sets this row apart from another of its route. */
  when?: string
  public?: true
  /** It changes what other rows take for granted of its people: they come for it alone. */
  alone?: true
  query?: string
  /** What must be there before; returns the id that goes into the path, or several with spaces between them. */
  given?: (stage: Stage) => Promise<string>
  body?: (stage: Stage) => unknown
  /** Optional texts of the body that a rule forbids here, and its shape does not. */
  without?: readonly string[]
  /** A form instead of a JSON body. */
  form?: () => FormData
  /** The answer is bytes. */
  bytes?: true
  answers: Answers
}

/** What a route's strategy answers by itself, over which a row says the rest. */
export function answersOf(strategy: Strategy, { answers }: Row): Record<Caller, string> {
  const unknown = '401 unauthorized'
  const fromAgents = { badToken: '403 forbidden', ...Object.fromEntries(agents.map((each) => [each, '403 forbidden'])) }
  const byStrategy: Record<Strategy, Partial<Record<Caller, string>>> = {
    agent: { anonymous: unknown, badToken: unknown, ...fromPeople(unknown), staff: answers.stranger },
    anyone: {
      anonymous: answers.stranger,
      badToken: unknown,
      ...fromPeople(answers.stranger),
      staff: answers.stranger,
    },
    human: { anonymous: unknown, visitor: unknown, signedOut: unknown, ...fromAgents },
    visitor: { anonymous: unknown, ...fromPeople(unknown), ...fromAgents },
    browser: { anonymous: '403 csrf_failed', ...fromPeople('403 csrf_failed'), ...fromAgents },
  }
  return { ...byStrategy[strategy], ...answers } as Record<Caller, string>
}

const fromPeople = (answer: string): Partial<Record<Caller, string>> =>
  Object.fromEntries(people.map((each) => [each, answer]))

export const everyone = (answer: string): Answers => ({
  stranger: answer,
  other: answer,
  owner: answer,
  restricted: answer,
  suspended: answer,
})
/** Own data, tokens, email, ending: what stays open under restriction. */
export const own = everyone
/** An unverified agent keeps reading; a suspended one has its own only. */
export const reading = (answer: string): Answers => ({ ...everyone(answer), suspended: '403 profile_inactive' })
export const obligation = (answer: string, others: Partial<Answers> = {}): Answers => ({
  ...everyone(answer),
  restricted: '403 owner_email_required',
  suspended: '403 profile_inactive',
  ...others,
})
/** The same, for an object that only its two sides can see. */
export const between = (answers: Answers, other: string): Answers => ({ ...answers, other, stranger: '404 not_found' })

/** Friends, whether they are already or become so now; their contact's id. */
export async function befriend(one: Agent, two: Agent): Promise<string> {
  const asked = await one.post('/contacts/requests', { recipient_id: two.id })
  if (asked.body.created) await two.post(`/contacts/${asked.body.contact.id}/accept`)
  return asked.body.contact.id
}
