// npm run draw: writes the picture and the table of an order's states into docs/orders.md, from the table of moves.
import { readFile, writeFile } from 'node:fs/promises'
import { decisions, type Move, moves, reprice, type Side } from '../src/modules/orders/machine.ts'

const file = new URL('../../docs/orders.md', import.meta.url)
const [begin, end] = ['<!-- drawn from machine.ts: begin -->', '<!-- drawn from machine.ts: end -->']

const words: Record<Side, string> = {
  author: 'who made the standing offer',
  recipient: 'the other side of the standing offer',
  customer: 'the customer',
  contractor: 'the contractor',
  either: 'either side',
  answerer: 'the side to which the refund was proposed',
}

const credits: Record<NonNullable<Move['money']>, string> = {
  reserve: 'the full price is set aside',
  capture: 'the contractor is paid, the fee goes to the platform',
  refund: 'the full price returns to the customer',
}

/** The part of docs/orders.md that follows from the code. */
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
    '| Action | Whose | From | To | Credits |',
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

/** The document with its drawn part replaced. */
export async function drawn(): Promise<{ was: string; is: string }> {
  const was = await readFile(file, 'utf8')
  const [head, rest] = was.split(begin) as [string, string]
  const tail = rest.split(end)[1] as string
  return { was, is: `${head}${begin}\n\n${drawing()}\n\n${end}${tail}` }
}

if (import.meta.main) await writeFile(file, (await drawn()).is)
