// The words of the operator's command, as one table: how each is written, what it says of itself, and what it does.
import { parseArgs } from 'node:util'
import { nearest } from '../kernel/nearest.ts'
import { uuidPattern } from '../kernel/schema.ts'
import { authors } from '../modules/editorial/authors.ts'
import { type AnswerStatus, answerStatuses } from '../modules/feedback/machine.ts'
import { type Decision, decisions } from '../modules/moderation/machine.ts'
import type { Verdict } from '../modules/ready/consent.ts'
import { entries, longestPage } from '../store/audit.ts'
import * as accounts from './accounts/accounts.ts'
import { linked, listed, removed } from './accounts/text.ts'
import { agentCommands } from './agent-commands.ts'
import { type Act, type Command, codeOf, idOf, inTransaction, UsageError } from './command.ts'
import { customerCommands } from './customer-commands.ts'
import { decideDispute, disputes } from './disputes.ts'
import * as editorial from './editorial.ts'
import { answerFeedback, feedback } from './feedback.ts'
import { grammarOf, userName } from './grammar.ts'
import { keyCommands } from './keys.ts'
import { dropMail, mails, retryMail } from './mails.ts'
import { decideModerationCase, reports } from './moderation.ts'
import { look } from './queues.ts'
import { judgeReady, waitingReady } from './ready.ts'
import { judge, reviews } from './reviews.ts'
import { storage } from './storage.ts'
import * as text from './text.ts'

const commands: readonly Command[] = [
  ...agentCommands,
  ...customerCommands,
  {
    usage: 'editorial',
    about: 'list authors, since when, and how many articles they wrote',
    read:
      () =>
      async ({ sql }) => {
        const found = await authors(sql)
        return { json: { authors: found }, text: editorial.authorsText(found) }
      },
  },
  {
    usage: 'editorial assign|revoke HANDLE [--reason TEXT]',
    about: 'add or remove the author role; published articles stay',
    read: ({ words: [verb, handle], actor, options: { reason } }) => {
      const order = { actor, handle: handle as string, reason }
      return inTransaction((tx) => editorial.changeAuthor(tx, order, verb === 'assign'), editorial.changedText)
    },
  },
  {
    usage: 'disputes [--all]',
    about: 'list disputes waiting for support; --all: other open ones too',
    read:
      ({ options: { all = false } }) =>
      async ({ sql, clock }) => {
        const found = await disputes(sql, all)
        return { json: found, text: text.disputes(found, clock.now()) }
      },
  },
  {
    usage: 'disputes decide ORDER_ID refund|resume --reason TEXT',
    about: 'return the full price, or let the order resume where it was',
    read: ({ words: [id, decision], actor, options }) => {
      const orderId = idOf('ORDER_ID', id)
      const verdict = { orderId, decision: decision as 'refund' | 'resume', reason: options.reason as string }
      return inTransaction((tx, config) => decideDispute(tx, actor, verdict, config), text.decided)
    },
  },
  {
    usage: 'reports',
    about: 'list cases and appeals waiting for a decision, oldest first',
    read:
      () =>
      async ({ sql, clock }) => {
        const found = await reports(sql)
        return { json: found, text: text.reports(found, clock.now()) }
      },
  },
  {
    usage: 'moderation decide CASE approve|reject|remove|restore --code CODE --reason TEXT',
    about: 'decide a case or answer its appeal; its owner reads why',
    read: ({ words: [id, decision], actor, options }) => {
      const caseId = idOf('CASE', id)
      const reasonCode = codeOf(options.code as string, 'lenient' in decisions[decision as Decision])
      const verdict = { actor, caseId, decision: decision as Decision, reasonCode, reason: options.reason as string }
      return inTransaction((tx) => decideModerationCase(tx, verdict), text.caseDecided)
    },
  },
  {
    usage: 'reviews',
    about: 'list review texts waiting for a moderator, oldest first',
    read:
      () =>
      async ({ sql }) => {
        const found = await reviews(sql)
        return { json: found, text: text.reviews(found) }
      },
  },
  {
    usage: 'reviews approve|reject REVIEW_ID [--reason TEXT]',
    about: 'publish or withhold a text; the rating stays',
    read: ({ words: [verdict, id], actor, options: { reason } }) => {
      const judgement = { actor, reviewId: idOf('REVIEW_ID', id), verdict: verdict as 'approve' | 'reject', reason }
      return inTransaction((tx) => judge(tx, judgement), text.judged)
    },
  },
  {
    usage: 'ready list',
    about: 'list ready-made works waiting for a moderator, oldest first',
    read:
      () =>
      async ({ sql }) => {
        const found = await waitingReady(sql)
        return { json: found, text: text.ready(found) }
      },
  },
  {
    usage: 'ready approve SERVICE_ID [--reason TEXT]',
    about: 'publish a work, or let its provider do so once its profile is open',
    read: ({ words: [id], actor, options: { reason } }) => judgingReady('approve', id, actor, reason),
  },
  {
    usage: 'ready reject SERVICE_ID --reason TEXT',
    about: 'reject a work; both sides read why',
    read: ({ words: [id], actor, options: { reason } }) => judgingReady('reject', id, actor, reason),
  },
  {
    usage: 'feedback [--all]',
    about: 'list unanswered feedback; --all: unfinished feedback too',
    read:
      ({ options: { all = false } }) =>
      async ({ sql, clock }) => {
        const found = await feedback(sql, all)
        return { json: found, text: text.feedback(found, clock.now()) }
      },
  },
  {
    usage: 'feedback answer ID STATUS --response TEXT',
    about: 'answer feedback; its author and subscribers are notified',
    read: ({ words: [id, status], actor, options: { response } }) => {
      if (!isAnswerStatus(status)) throw new UsageError(`STATUS must be one of ${answerStatuses.join(', ')}`)
      const reply = { actor, id: idOf('ID', id), status, response: response as string }
      return inTransaction((tx) => answerFeedback(tx, reply), text.answered)
    },
  },
  {
    usage: 'operator create|link EMAIL',
    about: 'print a console sign-in link, for a new or existing operator',
    read: ({ words: [verb, email], actor }) =>
      inTransaction((tx, { publicUrl }) => {
        const order = { actor, email: email as string, publicUrl }
        return verb === 'create' ? accounts.createOperator(tx, order) : accounts.linkOperator(tx, order)
      }, linked),
  },
  {
    usage: 'operator list',
    about: 'list who can open the console, and when they last did',
    read:
      () =>
      async ({ sql, clock }) => {
        const found = await accounts.operators(sql, clock.now())
        return { json: { operators: found }, text: listed(found, clock.now()) }
      },
  },
  {
    usage: 'operator remove EMAIL --reason TEXT',
    about: 'remove an operator; sessions, links and passkeys end at once',
    read: ({ words: [email], actor, options }) => {
      const order = { actor, email: email as string, reason: options.reason as string }
      return inTransaction((tx) => accounts.removeOperator(tx, order), removed)
    },
  },
  {
    usage: 'mail list',
    about: 'list waiting emails: since when, and why they were not sent',
    read:
      () =>
      async ({ sql, clock }) => {
        const found = await mails(sql)
        return { json: found, text: text.mails(found, clock.now()) }
      },
  },
  {
    usage: 'mail retry|drop MAIL_ID --reason TEXT',
    about: 'send an email at once, or drop it',
    read: ({ words: [verb, id], actor, options: { reason } }) => {
      const order = { actor, mailId: idOf('MAIL_ID', id), reason: reason as string }
      return inTransaction((tx) => (verb === 'retry' ? retryMail(tx, order) : dropMail(tx, order)), text.mailMoved)
    },
  },
  ...keyCommands,
  {
    usage: 'storage',
    about: 'show the storage in use, and its largest users',
    read:
      () =>
      async ({ sql }) => {
        const found = await storage(sql)
        return { json: found, text: text.storage(found) }
      },
  },
  {
    usage: 'audit [--limit N] [--before ID] [--actor WHO] [--action WHAT] [--subject SUBJECT]',
    about: 'show what operators and staff did, newest first',
    read: ({ options: { limit = '50', before, actor, action, subject } }) => {
      if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > longestPage) {
        throw new UsageError(`--limit must be a number from 1 to ${longestPage}`)
      }
      if (before !== undefined && !uuidPattern.test(before)) throw new UsageError('--before must be the ID of an entry')
      return async ({ sql }) => {
        const found = await entries(sql, { limit: Number(limit), before, actor, action, subject })
        return { json: found, text: text.audit(found) }
      }
    },
  },
  {
    usage: 'queue',
    about: 'show what waits, open connections, agents',
    read:
      () =>
      ({ sql, queues }) =>
        look(sql, queues),
  },
]

function judgingReady(verdict: Verdict, id: string | undefined, actor: string, reason: string | undefined): Act {
  const judgement = { actor, serviceId: idOf('SERVICE_ID', id), verdict, reason }
  return inTransaction((tx) => judgeReady(tx, judgement), text.readyJudged)
}

const isAnswerStatus = (word: string | undefined): word is AnswerStatus => answerStatuses.some((each) => each === word)

/** Of the usages; what is wider has its explanation below. */
const column = 52

const usageOf = (some: readonly Command[]): string =>
  [
    'usage: npm run operator -- COMMAND [--json]\n',
    ...some.map(({ usage, about }) =>
      usage.length > column ? `  ${usage}\n  ${''.padEnd(column)}   ${about}` : `  ${usage.padEnd(column)}   ${about}`,
    ),
    '',
  ].join('\n')

export const usage: string = usageOf(commands)

/** The usage of what begins with the same word as what was written, where anything does; else all of it. */
export function usageFor(args: readonly string[]): string {
  const first = args.find((arg) => !arg.startsWith('-'))
  const near = commands.filter((command) => command.usage.split(' ')[0] === first)
  return near.length === 0 ? usage : usageOf(near)
}

const options = {
  json: { type: 'boolean' },
  reason: { type: 'string' },
  code: { type: 'string' },
  response: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  actor: { type: 'string' },
  action: { type: 'string' },
  subject: { type: 'string' },
  all: { type: 'boolean' },
  filter: { type: 'string' },
  page: { type: 'string' },
  help: { type: 'boolean' },
} as const

/** Words of before. */
const renamed = (words: readonly string[]): readonly string[] =>
  words[0] !== 'mails' ? words : ['mail', ...(words.length === 1 ? ['list'] : words.slice(1))]

/** What the words ask for; a {@link UsageError} before anything is reached. */
export function understand(args: string[]): { json: boolean; act: Act } {
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(unparsed(error as Error))
  }
  const { positionals, values } = parsed
  const { json = false, help, ...given } = values
  if (help || positionals.length === 0) throw new UsageError('')
  const written = renamed(positionals)
  for (const command of commands) {
    const { pattern, needed, possible } = grammarOf(command.usage)
    const words = pattern.exec(written.join('\0'))?.slice(1)
    if (!words) continue
    const other = Object.keys(given).find((name) => !possible.includes(name))
    if (other) throw new UsageError(`--${other} does not apply here`)
    const missing = needed.find((name) => !(name in given))
    if (missing) throw new UsageError(`--${missing} is missing`)
    return { json, act: command.read({ words, actor: `operator:${userName()}`, options: given }) }
  }
  throw new UsageError(`unknown command${meant(written)}`)
}

function unparsed({ message }: Error): string {
  const [first = '', option] = /^Unknown option '--([^']*)'/.exec(message) ?? []
  if (option === undefined) return message
  const [near] = nearest(option, Object.keys(options))
  return near === undefined ? first : `${first}: did you mean --${near}?`
}

/** The suggestion for a word with a typo. */
function meant([first = '', second = '']: readonly string[]): string {
  const beginnings = commands.flatMap(({ usage }) => grammarOf(usage).beginnings)
  const known = beginnings.filter(([word]) => word === first)
  const near =
    known.length === 0
      ? nearest(
          first,
          beginnings.map(([word]) => word),
        )
      : nearest(
          second,
          known.flatMap(([, word]) => word ?? []),
        ).map((word) => `${first} ${word}`)
  return near.length === 0 || near.includes(`${first} ${second}`) ? '' : `: did you mean ${near.join(' or ')}?`
}
