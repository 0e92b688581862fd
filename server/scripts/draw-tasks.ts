// The states of a task and of a bid as pictures and tables, from their tables of moves.
import { bidMoves, taskMoves } from '../src/modules/tasks/machine.ts'

interface Move {
  by: string
  from: readonly string[]
  to: string
}

const whose: Readonly<Record<string, string>> = {
  customer: 'the customer',
  bidder: 'the bidder',
  service: 'the service',
}

function drawMoves(beginning: string, moves: Readonly<Record<string, Move>>): string {
  const all = Object.entries(moves)
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> open: ${beginning}`,
    ...all.flatMap(([action, { from, to }]) => from.map((state) => `  ${state} --> ${to}: ${action}`)),
    '```',
    '',
    '| Action | By | From | To |',
    '| --- | --- | --- | --- |',
    ...all.map(([action, { by, from, to }]) => `| \`${action}\` | ${whose[by]} | ${from.join(', ')} | ${to} |`),
  ].join('\n')
}

export const drawing = (): string =>
  ['A task:', '', drawMoves('publish', taskMoves), '', 'A bid:', '', drawMoves('bid', bidMoves)].join('\n')
