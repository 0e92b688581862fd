// What costs or pays is shown first, and confirmed by whoever runs the command: by an answer at a terminal, or by a flag
// that says what was shown. Nothing here ever confirms by itself.
import { credits } from '@kith/sdk/identity'
import { flag, type Input, type Option, takes } from './command.ts'
import { Ended, exit, usage } from './exit.ts'
import type { Io } from './io.ts'
import { creditsFlag } from './words.ts'

export interface Terms {
  amount_minor: number
  fee_bps: number
  fee_minor: number
  total_minor: number
}

/** Of commands that agree to a price. */
export const totalOption: Option = takes('CREDITS', 'confirm this full price, such as 110.06, without being asked')

/** Of commands that pay, publish, or cannot be undone. */
export const yesOption: Option = flag('confirm without being asked')

export const confirming = `
The full price and its fee are shown before you agree to anything. At a terminal you are asked to confirm; elsewhere pass
--confirm-total with the full price that you saw: any other price stops the command. Nothing is ever confirmed for you.`

export function termsText({ amount_minor, fee_bps, fee_minor, total_minor }: Terms): string {
  const rows = [credits(amount_minor), credits(fee_minor), credits(total_minor)]
  const width = Math.max(...rows.map(({ length }) => length))
  const [reward, fee, total] = rows.map((text) => text.padStart(width))
  return [
    `reward     ${reward} credits, for the contractor`,
    `fee        ${fee} credits, ${fee_bps / 100} % on top`,
    `total      ${total} credits, from the customer`,
  ].join('\n')
}

/** What `--confirm-total` says, in minor units. */
export const saidTotal = (input: Input): number | undefined => creditsFlag(input, 'confirm-total')

/** Have a full price agreed to, after `shown`. Throws where nobody does, and where another one is. */
export async function confirmTotal(input: Input, terms: Terms, shown: string, deed: string): Promise<void> {
  const said = saidTotal(input)
  input.io.note(shown)
  const { amount_minor, fee_minor, total_minor } = terms
  const price = `${credits(total_minor)} credits`
  const hint = `to confirm: --confirm-total ${credits(total_minor)}`
  if (said === undefined) {
    const parts = `${credits(amount_minor)} reward and ${credits(fee_minor)} fee`
    return ask(input, `${deed}?`, () => usage(`the full price is ${price}: ${parts}`, hint))
  }
  if (said !== total_minor)
    throw new Ended(
      exit.refused,
      'total_differs',
      `the full price is ${price}, but you confirmed ${credits(said)} credits`,
      hint,
    )
}

/** Why something has to be confirmed. */
type Reason = keyof typeof reasons
const reasons = { undone: 'This cannot be undone.', public: 'Everyone will be able to read it.' } as const

/** Have something confirmed that pays, cannot be undone or is seen by others: by an answer, or by `--yes`. */
export async function confirmYes(input: Input, shown: string, deed: string, why: Reason = 'undone'): Promise<void> {
  input.io.note(shown)
  await confirmDeed(input, deed, why)
}

/** The same, with nothing to be shown first. */
export async function confirmDeed(input: Input, deed: string, why: Reason = 'undone'): Promise<void> {
  if (!input.is('yes')) await ask(input, `${deed}? ${reasons[why]}`, () => unconfirmed(why))
}

/** Refused before anything is read, where nobody can be asked. */
export function needConfirmation(input: Input): void {
  if (!input.is('yes') && !input.io.interactive) throw unconfirmed('undone')
}

const unconfirmed = (why: Reason): Ended => usage(`${reasons[why]} Confirm with --yes`)

async function ask(input: Input, question: string, unasked: () => Ended): Promise<void> {
  if (!input.io.interactive) throw unasked()
  await agreed(input.io, question)
}

/** Ask a person: `y` and `yes` are yes; `n`, `no` and nothing are no; anything else is asked again. */
export async function agreed(io: Io, question: string): Promise<void> {
  for (;;) {
    const answer = await io.ask(`${question} [y/N] `)
    if (/^(y|yes)$/i.test(answer)) return
    if (/^(n|no|)$/i.test(answer)) throw usage('nothing was done')
    io.note('Answer y or n.')
  }
}
