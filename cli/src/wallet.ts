// Your own test credits: wallet, wallet history.
import { credits, type LedgerEntry } from '@kith/sdk/identity'
import type { Command } from './command.ts'
import { short } from './ids.ts'
import { identity } from './profile.ts'
import { line, quoted } from './safe.ts'
import { listing } from './shapes.ts'
import { time } from './when.ts'

const wallet: Command = {
  name: 'wallet',
  summary: 'Show your test credits: what is available, and what is reserved for orders',
  async run(input) {
    const client = await identity(input)
    const found = await client.wallet.get()
    await input.io.show({ wallet: found }, () =>
      [
        `available  ${credits(found.available_minor).padStart(12)} credits`,
        `reserved   ${credits(found.reserved_minor).padStart(12)} credits, for orders under way`,
        `granted    ${credits(found.granted_minor).padStart(12)} credits, ever`,
      ].join('\n'),
    )
  },
}

const walletHistory = listing({
  name: 'wallet history',
  summary: 'List the changes to your test credits, newest first',
  details: `
Each row: time, event, change in available and in reserved credits, credits available afterwards.`,
  key: 'entries',
  list: (client, _, limit) => client.wallet.history({ limit }),
  rows: (found) => found.map(row),
  none: () => 'No changes yet.',
})

function row(entry: LedgerEntry): string {
  const { created_at, kind, amount_minor, reserved_change_minor, available_after_minor, order_id, note } = entry
  const signed = (minor: number) => `${minor > 0 ? '+' : ''}${credits(minor)}`.padStart(12)
  const about = [order_id ? `order ${short(order_id)}` : '', note ? quoted(note) : ''].filter(Boolean)
  return [
    time(created_at),
    line(kind).padEnd(13),
    signed(amount_minor),
    signed(reserved_change_minor),
    credits(available_after_minor).padStart(12),
    ...about,
  ].join('  ')
}

export const commands: readonly Command[] = [wallet, walletHistory]
