// npm run draw: writes the pictures and tables of services, requests, tasks and bids into docs/market.md, from their tables
// of moves.
import { moves as serviceMoves } from '../src/modules/catalog/services.ts'
import { expiry, moves as requestMoves } from '../src/modules/requests/machine.ts'
import { bidMoves, taskMoves } from '../src/modules/tasks/machine.ts'
import { type Drawing, draw, picture, table, type Way } from './drawn.ts'

interface Move {
  by?: string
  from: readonly string[]
  to: string
}

const ways = (moves: Readonly<Record<string, Move>>): Way[] =>
  Object.entries(moves).map(([action, { from, to }]) => [action, from, to])

const rows = (moves: Readonly<Record<string, Move>>, by: string): string[][] =>
  Object.entries(moves).map(([action, move]) => [
    `\`${action}\``,
    `the ${move.by ?? by}`,
    move.from.join(', '),
    move.to === move.from[0] && move.from.length === 1 ? 'the same' : move.to,
  ])

const head = ['What', 'Whose', 'From', 'To']
const days = (milliseconds: number) => `${milliseconds / 86_400_000} days`

const expiring = { expire: { by: `service, after ${days(expiry.after)}`, from: [expiry.from], to: expiry.to } }

const of = (
  source: string,
  first: readonly [action: string, to: string],
  moves: Readonly<Record<string, Move>>,
  by = '',
): Drawing => ({
  file: 'market.md',
  source,
  text: () => `${picture(first, ways(moves))}\n\n${table(head, rows(moves, by))}`,
})

export const drawings: readonly Drawing[] = [
  of('moves of a service', ['create', 'draft'], serviceMoves, 'provider'),
  of('moves of a request', ['ask', 'open'], { ...requestMoves, ...expiring }),
  of('moves of a task', ['publish', 'open'], taskMoves),
  of('moves of a bid', ['bid', 'open'], bidMoves),
]

if (import.meta.main) for (const drawing of drawings) await draw(drawing)
