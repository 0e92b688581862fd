// The words of the operator's command, as one table: how each is written, what it says of itself, and what it does.
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Clock } from '../kernel/clock.ts'
import { uuidPattern } from '../kernel/schema.ts'
import type { Queue } from '../module.ts'
import { type AnswerStatus, answerStatuses } from '../modules/feedback/machine.ts'
import { type Decision, decisions, type ReasonCode, reasonCodes, reportCodes } from '../modules/moderation/machine.ts'
import type { Verdict } from '../modules/ready/consent.ts'
import { type StaffRole, staffRoles } from '../modules/staff/staff.ts'
import { maxBalance } from '../modules/wallet/wallet.ts'
import { entries, longestPage } from '../store/audit.ts'
import type { Sql, Tx } from '../store/sql.ts'
import * as accounts from './accounts/accounts.ts'
import { linked, listed, removed } from './accounts/text.ts'
import { decideDispute, disputes } from './disputes.ts'
import * as editorial from './editorial.ts'
import { answerFeedback, feedback } from './feedback.ts'
import { grammarOf, userName } from './grammar.ts'
import { dropMail, mails, retryMail } from './mails.ts'
import { decideCase, reports } from './moderation.ts'
import { changeRole, grantCredits, restore, staff, suspend } from './operator.ts'
import { look } from './queues.ts'
import { judgeReady, readyWorks } from './ready.ts'
import { judge, reviews } from './reviews.ts'
import { storage } from './storage.ts'
import * as text from './text.ts'

/** What was written is no command; the message is one line for a person, or nothing where only the usage helps. */
export class UsageError extends Error {}

export interface Answer {
  json: unknown
  text: string
}

/** What a command has at hand. */
export interface Means {
  sql: Sql
  config: Config
  clock: Clock
  /** Of every room. */
  queues: readonly Queue[]
}

type Act = (means: Means) => Promise<Answer>

interface Given {
  /** What was written where the usage has a choice or capitals, in this order. */
  words: readonly string[]
  /** Who acts, as the audit log names them. */
  actor: string
  options: {
    reason?: string
    code?: string
    response?: string
    limit?: string
    before?: string
    actor?: string
    action?: string
    subject?: string
    all?: boolean
  }
}

interface Command {
  /** Its grammar too: words, choices `a|b`, capitals for what is given, options, and in brackets what may be left out. */
  usage: string
  about: string
  /** What is to be done; a {@link UsageError} for what cannot be meant, before anything is reached. */
  read: (given: Given) => Act
}

const commands: readonly Command[] = [
  {
    usage: 'agent suspend|restore HANDLE --reason TEXT [--code CODE]',
    about: 'take an agent out at once, or bring it back; it reads why',
    read: ({ words: [verb, handle], actor, options }) => {
      const code = options.code === undefined ? undefined : codeOf(options.code, verb === 'restore')
      return inTransaction((tx) => {
        const order = { actor, handle: handle as string, reason: options.reason as string, code }
        return verb === 'suspend' ? suspend(tx, order) : restore(tx, order)
      }, text.done)
    },
  },
  {
    usage: 'staff',
    about: 'who has which roles',
    read:
      () =>
      async ({ sql }) => {
        const found = await staff(sql)
        return { json: { staff: found }, text: text.staff(found) }
      },
  },
  {
    usage: 'staff assign|revoke HANDLE ROLE [--reason TEXT]',
    about: 'support: disputes and feedback; moderator: reports and texts',
    read: ({ words: [verb, handle, role], actor, options }) => {
      if (!staffRoles.includes(role as StaffRole)) throw new UsageError(`ROLE is ${staffRoles.join(' or ')}`)
      const order = { actor, handle: handle as string, role: role as StaffRole, reason: options.reason }
      return inTransaction((tx) => changeRole(tx, order, verb === 'assign'), text.roles)
    },
  },
  {
    usage: 'editorial',
    about: 'who writes articles for the site, since when, and how many',
    read:
      () =>
      async ({ sql }) => {
        const found = await editorial.authors(sql)
        return { json: { authors: found }, text: editorial.authorsText(found) }
      },
  },
  {
    usage: 'editorial assign|revoke HANDLE [--reason TEXT]',
    about: 'make an agent an author, or end that; what it published stays',
    read: ({ words: [verb, handle], actor, options: { reason } }) => {
      const order = { actor, handle: handle as string, reason }
      return inTransaction((tx) => editorial.changeAuthor(tx, order, verb === 'assign'), editorial.changedText)
    },
  },
  {
    usage: 'disputes [--all]',
    about: 'cases that wait for support; with --all those of the two sides too',
    read:
      ({ options: { all = false } }) =>
      async ({ sql, clock }) => {
        const found = await disputes(sql, all)
        return { json: found, text: text.disputes(found, clock.now()) }
      },
  },
  {
    usage: 'disputes decide ORDER_ID refund|resume --reason TEXT',
    about: 'return the whole price, or let the order go on where it was',
    read: ({ words: [id, decision], actor, options }) => {
      const orderId = idOf('ORDER_ID', id)
      const verdict = { orderId, decision: decision as 'refund' | 'resume', reason: options.reason as string }
      return inTransaction((tx, config) => decideDispute(tx, actor, verdict, config), text.decided)
    },
  },
  {
    usage: 'reports',
    about: 'cases and appeals that wait for a decision, oldest first',
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
      return inTransaction((tx) => decideCase(tx, verdict), text.caseDecided)
    },
  },
  {
    usage: 'reviews',
    about: 'texts of reviews that wait for a moderator, oldest first',
    read:
      () =>
      async ({ sql }) => {
        const found = await reviews(sql)
        return { json: found, text: text.reviews(found) }
      },
  },
  {
    usage: 'reviews approve|reject REVIEW_ID [--reason TEXT]',
    about: 'publish a text, or withhold it; the rating stands',
    read: ({ words: [verdict, id], actor, options: { reason } }) => {
      const judgement = { actor, reviewId: idOf('REVIEW_ID', id), verdict: verdict as 'approve' | 'reject', reason }
      return inTransaction((tx) => judge(tx, judgement), text.judged)
    },
  },
  {
    usage: 'ready list',
    about: 'ready-made works that wait for a moderator, longest first',
    read:
      () =>
      async ({ sql }) => {
        const found = await readyWorks(sql)
        return { json: found, text: text.ready(found) }
      },
  },
  {
    usage: 'ready approve SERVICE_ID [--reason TEXT]',
    about: 'publish a work, or let its provider do so once it is open',
    read: ({ words: [id], actor, options: { reason } }) => judgingReady('approve', id, actor, reason),
  },
  {
    usage: 'ready reject SERVICE_ID --reason TEXT',
    about: 'leave a work unpublished; its two sides read why',
    read: ({ words: [id], actor, options: { reason } }) => judgingReady('reject', id, actor, reason),
  },
  {
    usage: 'feedback [--all]',
    about: 'what was never answered; with --all what is not finished too',
    read:
      ({ options: { all = false } }) =>
      async ({ sql, clock }) => {
        const found = await feedback(sql, all)
        return { json: found, text: text.feedback(found, clock.now()) }
      },
  },
  {
    usage: 'feedback answer ID STATUS --response TEXT',
    about: 'its author and subscribers are told, and read it',
    read: ({ words: [id, status], actor, options: { response } }) => {
      if (!isAnswerStatus(status)) throw new UsageError(`STATUS is one of ${answerStatuses.join(', ')}`)
      const reply = { actor, id: idOf('ID', id), status, response: response as string }
      return inTransaction((tx) => answerFeedback(tx, reply), text.answered)
    },
  },
  {
    usage: 'credits grant HANDLE MINOR --reason TEXT',
    about: '100 minor units are a credit; the agent reads the reason',
    read: ({ words: [handle, minor = ''], actor, options }) => {
      const amount = /^[1-9]\d{0,15}$/.test(minor) ? Number(minor) : Number.NaN
      if (!(amount <= maxBalance)) throw new UsageError(`MINOR is a whole number from 1 to ${maxBalance}`)
      const order = { actor, handle: handle as string, reason: options.reason as string, amount }
      return inTransaction((tx) => grantCredits(tx, order), text.granted)
    },
  },
  {
    usage: 'operator create|link EMAIL',
    about: 'a sign-in link for the console, for somebody new or once more',
    read: ({ words: [verb, email], actor }) =>
      inTransaction((tx, { publicUrl }) => {
        const order = { actor, email: email as string, publicUrl }
        return verb === 'create' ? accounts.createOperator(tx, order) : accounts.linkOperator(tx, order)
      }, linked),
  },
  {
    usage: 'operator list',
    about: 'who can open the console, and when it last did',
    read:
      () =>
      async ({ sql, clock }) => {
        const found = await accounts.operators(sql, clock.now())
        return { json: { operators: found }, text: listed(found, clock.now()) }
      },
  },
  {
    usage: 'operator remove EMAIL --reason TEXT',
    about: 'ends sessions, links and passkeys at once',
    read: ({ words: [email], actor, options }) => {
      const order = { actor, email: email as string, reason: options.reason as string }
      return inTransaction((tx) => accounts.removeOperator(tx, order), removed)
    },
  },
  {
    usage: 'mails',
    about: 'e-mails that wait: since when, and why they were not sent',
    read:
      () =>
      async ({ sql, clock }) => {
        const found = await mails(sql)
        return { json: found, text: text.mails(found, clock.now()) }
      },
  },
  {
    usage: 'mails retry|drop MAIL_ID --reason TEXT',
    about: 'have an e-mail tried at once, or give it up',
    read: ({ words: [verb, id], actor, options: { reason } }) => {
      const order = { actor, mailId: idOf('MAIL_ID', id), reason: reason as string }
      return inTransaction((tx) => (verb === 'retry' ? retryMail(tx, order) : dropMail(tx, order)), text.mailMoved)
    },
  },
  {
    usage: 'storage',
    about: 'what files cost, and who keeps most',
    read:
      () =>
      async ({ sql }) => {
        const found = await storage(sql)
        return { json: found, text: text.storage(found) }
      },
  },
  {
    usage: 'audit [--limit N] [--before ID] [--actor WHO] [--action WHAT] [--subject WHOM]',
    about: 'what operators and staff did, newest first',
    read: ({ options: { limit = '50', before, actor, action, subject } }) => {
      if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > longestPage) {
        throw new UsageError(`--limit is a number from 1 to ${longestPage}`)
      }
      if (before !== undefined && !uuidPattern.test(before)) throw new UsageError('--before is the id of an entry')
      return async ({ sql }) => {
        const found = await entries(sql, { limit: Number(limit), before, actor, action, subject })
        return { json: found, text: text.audit(found) }
      }
    },
  },
  {
    usage: 'queue',
    about: 'what waits, open connections, agents',
    read:
      () =>
      ({ sql, queues }) =>
        look(sql, queues),
  },
]

/** One transaction, and its result for programs and for people. */
const inTransaction =
  <T>(work: (tx: Tx, config: Config) => Promise<T>, say: (result: T) => string): Act =>
  async ({ sql, config }) => {
    const result = await sql.transaction((tx) => work(tx, config))
    return { json: result, text: say(result) }
  }

function judgingReady(verdict: Verdict, id: string | undefined, actor: string, reason: string | undefined): Act {
  const judgement = { actor, serviceId: idOf('SERVICE_ID', id), verdict, reason }
  return inTransaction((tx) => judgeReady(tx, judgement), text.readyJudged)
}

/** A reason code; `ok` only where nothing is taken away. */
function codeOf(given: string, isLenient: boolean): ReasonCode {
  const codes: readonly ReasonCode[] = isLenient ? reasonCodes : reportCodes
  const code = codes.find((each) => each === given)
  if (code === undefined) throw new UsageError(`CODE is one of ${codes.join(', ')}`)
  return code
}

const isAnswerStatus = (word: string | undefined): word is AnswerStatus => answerStatuses.some((each) => each === word)

function idOf(name: string, given: string | undefined): string {
  if (given === undefined || !uuidPattern.test(given))
    throw new UsageError(`${name} is an id, such as 01890a5d-ac96-774b-bcce-b302099a8057`)
  return given.toLowerCase()
}

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
  help: { type: 'boolean' },
} as const

/** What the words ask for; a {@link UsageError} before anything is reached. */
export function understand(args: string[]): { json: boolean; act: Act } {
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const { positionals, values } = parsed
  const { json = false, help, ...given } = values
  if (help || positionals.length === 0) throw new UsageError('')
  for (const command of commands) {
    const { pattern, needed, possible } = grammarOf(command.usage)
    const words = pattern.exec(positionals.join('\0'))?.slice(1)
    if (!words) continue
    const other = Object.keys(given).find((name) => !possible.includes(name))
    if (other) throw new UsageError(`--${other} has no meaning here`)
    const missing = needed.find((name) => !(name in given))
    if (missing) throw new UsageError(`--${missing} is needed`)
    return { json, act: command.read({ words, actor: `operator:${userName()}`, options: given }) }
  }
  throw new UsageError('unknown command')
}
