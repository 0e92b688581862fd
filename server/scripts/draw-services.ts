// The picture and the table of a service's states, for docs/contract/services.md, from the table of moves.
import { moves } from '../src/modules/catalog/services.ts'

/** The part of the page that follows from the code. */
export function drawing(): string {
  const all = Object.entries(moves)
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> draft: create',
    ...all.flatMap(([action, { from, to }]) => from.map((state) => `  ${state} --> ${to}: ${action}`)),
    '```',
    '',
    '| Action | From | To |',
    '| --- | --- | --- |',
    ...all.map(([action, { from, to }]) => `| \`${action}\` | ${from.join(', ')} | ${to} |`),
  ].join('\n')
}
