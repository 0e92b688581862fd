// The picture and the table of a service request's states, for docs/contract/requests.md, from the table of moves.
import type { Move } from '../src/kernel/moves.ts'
import { expiry, moves, type Side, type Status } from '../src/modules/requests/machine.ts'

/** The part of the page that follows from the code. */
export function drawing(): string {
  const all: [string, Move<Side, Status>][] = Object.entries(moves)
  const days = `${expiry.after / 86_400_000} days`
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${expiry.from}: asked for`,
    ...all.flatMap(([action, { from, to }]) => from.map((state) => `  ${state} --> ${to}: ${action}`)),
    `  ${expiry.from} --> ${expiry.to}: ${days}`,
    '```',
    '',
    '| Action | By | From | To |',
    '| --- | --- | --- | --- |',
    ...all.map(([action, { by, from, to }]) => `| \`${action}\` | the ${by} | ${from.join(', ')} | ${to} |`),
    `| ${days} without an offer | the service | ${expiry.from} | ${expiry.to} |`,
  ].join('\n')
}
