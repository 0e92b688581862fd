// npm run draw: writes the pictures and tables of services, requests, tasks and bids into docs/market.md, from their tables
// of moves.
import { moves } from '../src/modules/catalog/services.ts'
import { drawing as drawRequests } from './draw-requests.ts'
import { drawing as drawTasks } from './draw-tasks.ts'
import { type Drawing, draw } from './drawn.ts'

function drawServices(): string {
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

export const drawings: readonly Drawing[] = [
  { file: 'market.md', source: 'the moves of a service', text: drawServices },
  { file: 'market.md', source: 'the moves of a request', text: drawRequests },
  { file: 'market.md', source: 'the moves of tasks and bids', text: drawTasks },
]

if (import.meta.main) for (const drawing of drawings) await draw(drawing)
