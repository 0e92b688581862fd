// A page of the console: who may see it, and what an operator does on it. Each action is done once however often its form is sent, and is in the audit log with the operator's email as its actor. docs/operating.md#the-console.
import type { FormSubmission, LivePage, Redirect, SiteOperator, Visit } from '../http/page.ts'
import { type Code, invalid, Refusal, refuse } from '../kernel/refuse.ts'
import { operationIdPattern } from '../kernel/schema.ts'
import { lookAction } from '../modules/staff/material.ts'
import { actorOf, holdSession } from '../operator/accounts/sessions.ts'
import { checkReason, OperatorError } from '../operator/operator.ts'
import type { SentSearch } from '../operator/search.ts'
import { type Waiting, waitingNow } from '../operator/waiting.ts'
import { html } from '../site/html.ts'
import type { View } from '../site/layout.ts'
import { type Attempt, attemptOf, statusOf, untried } from '../site/parts/form.ts'
import { pageAsked } from '../site/parts/list.ts'
import { listTitle } from '../site/parts/list-query.ts'
import { type Scene, sceneOf, shownAs } from '../site/view.ts'
import type { Key } from '../site/words.ts'
import { entries } from '../store/audit.ts'
import { contentDigest } from '../store/once.ts'
import type { Query, Tx } from '../store/sql.ts'
import { actionName } from './action-name.ts'
import { passedSince, spanIn } from './lists.ts'
import { accountBar, admitted, turnedAway } from './own.ts'
import { searchField, searchLimit, sentBy } from './search-field.ts'
import { type ConsoleSection, consoleHeader } from './sections.ts'
import { consoleSheet } from './sheet.ts'

export interface ConsoleScene extends Scene {
  operator: SiteOperator
  /** What was sent to this page and could not be done; nothing yet on a visit. */
  attempt: Attempt
  /** The action that was done just now. */
  done: string | undefined
  /** What was sent to this page's own search. */
  sought?: Sought
}

interface Sought {
  fields: Readonly<Record<string, string>>
  sent: SentSearch | undefined
}

/** What an operator does with a form: the verb, in a transaction of its own. */
export interface Action {
  /** The fields of its form, beside `reason`. */
  fields: readonly string[]
  /** What each field must be, where a refusal names it. */
  problems?: Readonly<Record<string, Key>>
  /** What an empty reason stands for; undefined if a reason is required. */
  unstated?: (fields: Input['fields']) => string | undefined
  /** What its entries in the audit log are about, where the address of the page does not name it. */
  subject?: (sql: Query, fields: Input['fields']) => Promise<string | undefined> | string | undefined
  /** Throws what it refuses with. */
  run: (tx: Tx, input: Input) => Promise<unknown>
}

export interface Input {
  service: Visit['service']
  /** As the audit log names who acts. */
  actor: string
  params: Readonly<Record<string, string>>
  fields: Readonly<Record<string, string>>
  reason: string
}

type ConsolePage = Omit<LivePage, 'caller' | 'cache' | 'knows' | 'show' | 'form'> & {
  section: ConsoleSection
  /** Undefined if nothing has this address. */
  view: (scene: ConsoleScene) => Promise<ConsoleView | undefined> | ConsoleView | undefined
  /** By the value of the field `action` of their forms. */
  actions?: Readonly<Record<string, Action>>
  /** The fields of its search; the first one is typed. */
  search?: readonly [string, ...string[]]
}

export type ConsoleView = Pick<View, 'title' | 'body' | 'width' | 'previous' | 'next'> & {
  /** The part of the menu, if not the page's own. */
  section?: ConsoleSection
}

/** Bytes of the longest form: a text of 5,000 code points, percent-encoded. */
const longestForm = 128 * 1024

/** A page of the console; whoever has not shown a passkey is led to where one is shown. */
export const consolePage = ({ section, view, actions, search, ...page }: ConsolePage): LivePage => {
  const query = [...(page.query ?? []), 'done']
  const show = async (scene: ConsoleScene) => {
    const found = await view(scene)
    return shownAs(scene, found && framed(scene, section, found, await waitingNow(scene.service.sql)))
  }
  return {
    ...page,
    query,
    caller: 'anyone',
    cache: 'never',
    knows: 'operator',
    show: async (visit) => {
      const operator = admitted(visit)
      if ('to' in operator) return operator
      return show({ ...sceneOf(visit), operator, attempt: untried(), done: doneIn(visit, actions) })
    },
    ...(actions && {
      form: {
        guard: 'session',
        fields: [
          ...new Set([
            'action',
            'form',
            'operation_id',
            'reason',
            ...Object.values(actions).flatMap((each) => each.fields),
          ]),
        ],
        limit: longestForm,
        send: async (sent: FormSubmission) => {
          const operator = admitted(sent)
          if ('to' in operator) return turnedAway(sent)
          const refused = await perform(sent, operator, actions)
          if (!refused) return turnedAway({ ...sent, operator: undefined })
          if ('to' in refused) return refused
          return show({ ...sceneOf(sent), operator, attempt: refused, done: undefined })
        },
      },
    }),
    ...(search && {
      form: {
        guard: 'session',
        fields: [...search, 'operation_id'],
        limit: searchLimit,
        send: async (sent: FormSubmission) => {
          const operator = admitted(sent)
          if ('to' in operator) return turnedAway(sent)
          const sought = { fields: sent.fields, sent: sentBy(sent, operator, sent.fields[search[0]] ?? '') }
          return show({ ...sceneOf(sent), operator, attempt: untried(), done: undefined, sought })
        },
      },
    }),
  }
}

const framed = (
  scene: ConsoleScene,
  usual: ConsoleSection,
  { section = usual, ...view }: ConsoleView,
  waiting: Waiting,
): View => ({
  ...view,
  title: listTitle(scene, view.title, { page: pageAsked((scene.sought?.fields ?? scene.query)['page']) ?? 1 }),
  ...statusOf(scene.attempt),
  width: view.width ?? 'wide',
  header: consoleHeader(section, waiting),
  sheet: consoleSheet.path,
  // Not sensitive: its forms say from where they come.
  isUnlisted: true,
  body: html`${searchField(scene)}${view.body}${accountBar(scene)}`,
})

/** Undefined if its operator was signed out meanwhile. */
async function perform(
  sent: FormSubmission,
  operator: SiteOperator,
  actions: Readonly<Record<string, Action>>,
): Promise<Redirect | Attempt | undefined> {
  const { service, params, fields } = sent
  const { action: name = '', operation_id: operationId = '', reason = '' } = fields
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action || !operationIdPattern.test(operationId)) return refuse('invalid_input')
  const unstated = reason.trim() === '' ? action.unstated?.(fields) : undefined
  const input = { service, actor: actorOf(operator), params, fields, reason: unstated ?? reason }
  const { operation_id: _, ...content } = fields
  const digest = contentDigest([placeOf(sent), content])
  try {
    if (unstated === undefined && !isReason(reason))
      invalid({ path: 'reason', problem: 'must be 1 to 2,000 characters' })
    const isHeld = await service.sql.transaction(async (tx) => {
      // An operator who is signed out or removed at this moment either acted before or no longer acts.
      if (!(await holdSession(tx, operator))) return false
      if (await isFirst(tx, operator.id, operationId.toLowerCase(), digest)) await action.run(tx, input)
      return true
    })
    if (!isHeld) return undefined
  } catch (error) {
    // The page offered what cannot be done as things stand now: somebody else was first.
    const refused = error instanceof OperatorError ? new Refusal('state_conflict', { message: error.message }) : error
    const attempt = attemptOf(sceneOf(sent), refused, {
      values: fields,
      problems: { reason: 'order.reason.problem', ...action.problems },
    })
    const isLate = refused instanceof Refusal && late.has(refused.code)
    return isLate ? { ...attempt, problem: `${attempt.problem}${await lastEntry(sent, action)}` } : attempt
  }
  return { to: `${placeOf(sent)}?done=${encodeURIComponent(name)}` }
}

/** Refusals of a form whose subject has changed since its page was opened. */
const late: ReadonlySet<Code> = new Set(['invalid_state', 'state_conflict', 'version_conflict'])

/** Who did what last, and when; empty where the log says nothing about it. */
async function lastEntry(sent: FormSubmission, action: Action): Promise<string> {
  const { service, params, fields } = sent
  const [named] = Object.values(params)
  const subject = action.subject ? await action.subject(service.sql, fields) : named
  // An address may have in it what no text of the database has.
  if (subject === undefined || subject.includes('\0')) return ''
  const [last] = (await entries(service.sql, { subject, exceptAction: lookAction, limit: 1 })).entries
  if (!last) return ''
  const { actor, action: done, created_at: at } = last
  const { words } = sceneOf(sent)
  return ` ${words.text('console.last', { actor, action: actionName(words, done), age: spanIn({ words }, passedSince(sent, at)) })}`
}

function isReason(given: string): boolean {
  try {
    return checkReason(given) !== ''
  } catch {
    return false
  }
}

/** What the query says was done, where the page does such a thing. */
const doneIn = ({ query: { done = '' } }: Visit, actions: ConsolePage['actions'] = {}): string | undefined =>
  Object.hasOwn(actions, done) ? done : undefined

const placeOf = ({ here = '/operator' }: Visit): string => here.split('?', 1)[0] as string

/** Whether a form was not done before; its twin waits here for it. Refuses `idempotency_conflict` for other content under its id. */
async function isFirst(tx: Tx, operatorId: string, operationId: string, digest: Buffer): Promise<boolean> {
  const claimed = await tx`
    insert into operator_operations (operator_id, operation_id, digest, created_at)
    values (${operatorId}, ${operationId}, ${digest}, ${tx.now}) on conflict do nothing returning operation_id`
  if (claimed.length > 0) return true
  const [prior] = await tx<{ digest: Buffer }>`
    select digest from operator_operations where operator_id = ${operatorId} and operation_id = ${operationId}`
  if (!prior?.digest.equals(digest)) refuse('idempotency_conflict')
  return false
}
