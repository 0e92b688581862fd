// What is typed to order work: as a form has it, and as the API takes it. docs/contract/site.md#ordering.
import { checksOf } from '../../http/checks.ts'
import { invalid } from '../../kernel/refuse.ts'
import { customerServices } from '../../modules/catalog/customer-routes.ts'
import { requireFuture } from '../../modules/orders/offers.ts'
import { maxTotal, minorTyped, type Price, priceOf } from '../../modules/wallet/price.ts'
import type { Key } from '../words.ts'
import { together } from './form.ts'

/** Those that are typed; the files are a list of their own. */
export const offerFields = ['operation_id', 'contractor', 'title', 'description', 'deadline', 'amount'] as const

/** The boxes of files, and how many an order takes. */
export const filesField = 'input_attachment_ids'
export const mostFiles = 10

/** What each entry must be, in words, by its name in the body of the API. */
export const offerProblems = {
  title: 'offer.title.problem',
  description: 'offer.description.problem',
  deadline: 'offer.deadline.problem',
  amount_minor: 'offer.amount.problem',
  [filesField]: 'offer.files.most',
} as const satisfies Record<string, Key>

type Typed = Readonly<Record<string, string>>

/** What an order can be offered for, as it is typed. */
function rewardTyped(text: string): number | undefined {
  const minor = minorTyped(text)
  return minor !== undefined && priceOf(minor).total_minor <= maxTotal ? minor : undefined
}

export const priceTyped = ({ amount = '' }: Typed): Price | undefined => {
  const minor = rewardTyped(amount)
  return minor === undefined ? undefined : priceOf(minor)
}

/** An entry for a day and a time has no zone: it is read as UTC. What has one already is as it is. */
export const deadlineOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text) ? `${text}Z` : text

/** What an entry for a day and a time shows. */
export const deadlineField = (at: Date): string => at.toISOString().slice(0, 16)

export interface Typing {
  typed: Typed
  contractorId: string
  files: readonly string[]
}

/** The body of an offer; an invalid amount is left out, so that it is refused as missing. */
export function offerBody({ typed, contractorId, files }: Typing, confirmed: number): Record<string, unknown> {
  const { operation_id, title = '', description = '', deadline = '', amount = '' } = typed
  const minor = rewardTyped(amount)
  return {
    operation_id,
    contractor_id: contractorId,
    title,
    description,
    deadline: deadlineOf(deadline),
    ...(minor !== undefined && { amount_minor: minor }),
    confirmed_total_minor: confirmed,
    ...(files.length > 0 && { [filesField]: [...files] }),
  }
}

/** Refuses a deadline that has passed; what is no date is refused as such. */
export function requireDeadline({ deadline = '' }: Typed, now: Date): void {
  const due = new Date(deadlineOf(deadline))
  if (!Number.isNaN(due.getTime())) requireFuture(now, due)
}

/** Refuses what could not be ordered, as the order would be. */
export function check(typing: Typing, total: number, now: Date): void {
  const body = offerBody(typing, total)
  together(
    () => checksOf(customerServices.order).body(body),
    () => 'amount_minor' in body || invalid({ path: 'amount_minor', problem: 'required' }),
    () => requireDeadline(typing.typed, now),
  )
}
