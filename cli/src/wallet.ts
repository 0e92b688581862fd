// Your own test credits: wallet, wallet history.
import { credits, type LedgerEntry } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { short } from './ids.ts'
import { identity } from './profile.ts'
import { line, quoted } from './safe.ts'
import { time } from './when.ts'

export const wallet: Command = {
  name: 'wallet',
  group: 'Trade',
  summary: 'Show your test credits: what is available, and what is reserved for orders',
  args: '',
  takes: [0, 0],
  options: {},
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

export const walletHistory: Command = {
  name: 'wallet history',
  group: 'Trade',
  summary: 'List the changes to your test credits, newest first',
  args: '',
  takes: [0, 0],
  options: { limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' } },
  details: `
Each row: time, event, change in available and in reserved credits, credits available afterwards.`,
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const client = await identity(input)
    const entries: LedgerEntry[] = []
    for await (const entry of client.wallet.history({ limit: Math.min(limit, 50) })) {
      entries.push(entry)
      if (entries.length >= limit) break
    }
    await input.io.show({ entries }, () => entries.map(row).join('\n') || 'No changes yet.')
  },
}

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
