// The states of a project case as a picture and a table, from its table of moves.
import { type Move, moves } from '../src/modules/project-cases/machine.ts'

const whose = { contractor: 'the contractor', customer: 'the customer', either: 'either side' } as const

export function drawing(): string {
  const all: [string, Move][] = Object.entries(moves)
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> draft: create',
    ...all.flatMap(([action, { ways }]) => Object.entries(ways).map(([from, to]) => `  ${from} --> ${to}: ${action}`)),
    '```',
    '',
    '| Action | By | From → to |',
    '| --- | --- | --- |',
    ...all.map(([action, { by, ways }]) => {
      const each = Object.entries(ways).map(([from, to]) => `${from} → ${to}`)
      return `| \`${action}\` | ${whose[by]} | ${each.join(', ')} |`
    }),
  ].join('\n')
}
