// The picture and the table of an order's states, for docs/contract/orders.md, from the table of moves.
import { decisions, type Move, moves, reprice, type Side } from '../src/modules/orders/machine.ts'

const words: Record<Side, string> = {
  author: 'who made the standing offer',
  recipient: 'the other side of the standing offer',
  customer: 'the customer',
  contractor: 'the contractor',
  either: 'either side',
  answerer: 'the side to which the refund was proposed',
}

const credits: Record<NonNullable<Move['money']>, string> = {
  reserve: 'the full price is reserved',
  capture: 'the contractor is paid, the fee goes to the platform',
  refund: 'the full price returns to the customer',
}

/** The part of the page that follows from the code. */
export function drawing(): string {
  const all: [string, Move][] = [...Object.entries(moves), ['reprice', reprice]]
  const arrows = all
    .filter(([, { from, to }]) => !(from as readonly string[]).includes(to))
    .flatMap(([action, { from, to }]) => from.map((state) => [state, to, action] as const))
  const merged = Map.groupBy(arrows, ([from, to]) => `${from} --> ${to}`)
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> offered: offer',
    ...[...merged].map(([arrow, ways]) => `  ${arrow}: ${ways.map(([, , action]) => action).join(', ')}`),
    '  disputed --> closed: support refunds',
    ...moves.dispute.from.map((state) => `  disputed --> ${state}: support resumes`),
    '```',
    '',
    '| Action | By | From | To | Credits |',
    '| --- | --- | --- | --- | --- |',
    ...all.map(
      ([action, { by, from, to, money }]) =>
        `| \`${action}\` | ${words[by]} | ${from.join(', ')} | ${to} | ${money ? credits[money] : ''} |`,
    ),
    ...Object.entries(decisions).map(
      ([decision, rule]) =>
        `| decision \`${decision}\` | support | ${rule.from} | ${rule.to} | ${'money' in rule ? credits[rule.money] : ''} |`,
    ),
  ].join('\n')
}
