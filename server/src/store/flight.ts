// Statements travel in flights: several in one write, answered together. If one fails, those behind it in its flight
// never start. docs/decisions/0011-round-trips.md.
import type pg from 'pg'
// What the driver's own cursors use too; its types leave it out.
// @ts-expect-error
import { prepareValue } from 'pg/lib/utils.js'

export type Row = Record<string, unknown>

/** A statement by name, under which a connection keeps it prepared; each name has one text. */
export interface Statement {
  name: string
  text: string
  values: readonly unknown[]
}

/** A statement in flight, and who waits for it. */
interface Leg {
  statement: Statement
  values: unknown[]
  resolve: (rows: Row[]) => void
  reject: (error: unknown) => void
}

/** The part of the driver's connection that writes. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: unknown[] }): void
  describe(what: { type: 'P' | 'S' }): void
  execute(portal: object): void
  close(what: { type: 'S'; name: string }): void
  sync(): void
}

interface Column {
  name: string
  parse: (text: string) => unknown
}

/** By name, the columns of the statements a connection has prepared: it is not asked for them again. */
const preparedOn = new WeakMap<Wire, Map<string, readonly Column[]>>()

function preparedBy(wire: Wire): Map<string, readonly Column[]> {
  const known = preparedOn.get(wire) ?? new Map<string, readonly Column[]>()
  preparedOn.set(wire, known)
  return known
}

/** Nobody waits. */
const silent: Pick<Leg, 'resolve' | 'reject'> = { resolve() {}, reject() {} }

/** The legs as a query of the driver's client; `landed` follows once the connection is free again. */
function flight(
  legs: readonly Leg[],
  { types, isInTransaction, landed }: { types: pg.CustomTypesConfig; isInTransaction: boolean; landed: () => void },
) {
  let prepared: Map<string, readonly Column[]>
  let columns: readonly Column[] | undefined
  let rows: Row[] = []
  let fault: { error: unknown } | undefined
  const settled: (() => void)[] = []
  const current = (): Leg => legs[settled.length] as Leg

  function write(wire: Wire, { statement: { name, text }, values }: Leg): void {
    const isPrepared = prepared.has(name)
    if (!isPrepared) {
      // A failed flight may or may not have left it there, and closing a missing one is not an error.
      wire.close({ type: 'S', name })
      wire.parse({ name, text })
    }
    wire.bind({ statement: name, values })
    if (!isPrepared) wire.describe({ type: 'P' })
    wire.execute({})
  }

  function settle(): void {
    for (const each of settled) each()
    settled.length = 0
  }

  return {
    submit(connection: unknown): void {
      const wire = connection as Wire
      prepared = preparedBy(wire)
      wire.stream.cork()
      for (const leg of legs) write(wire, leg)
      wire.sync()
      wire.stream.uncork()
    },
    handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
      columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID, 'text') }))
    },
    handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
      if (fault) return
      columns ??= prepared.get(current().statement.name) ?? []
      const row: Row = {}
      try {
        for (let i = 0; i < columns.length; i++) {
          const { name, parse } = columns[i] as Column
          const text = fields[i] as string | null
          row[name] = text === null ? null : parse(text)
        }
      } catch (error) {
        fault = { error }
      }
      rows.push(row)
    },
    handleCommandComplete(): void {
      const { statement, resolve, reject } = current()
      if (!prepared.has(statement.name)) prepared.set(statement.name, columns ?? [])
      const [found, wrong] = [rows, fault]
      settled.push(wrong ? () => reject(wrong.error) : () => resolve(found))
      columns = undefined
      rows = []
      fault = undefined
    },
    handleError(error: unknown): void {
      const failing = legs[settled.length]
      if (failing) prepared?.delete(failing.statement.name)
      // Outside a transaction all of them are one transaction, committed at the end of the flight: until then none is
      // done.
      if (!isInTransaction) settled.length = 0
      const failed = legs.slice(settled.length)
      settle()
      for (const { reject } of failed) reject(error)
      landed()
    },
    handleReadyForQuery(): void {
      settle()
      landed()
    },
  }
}

/** Made when somebody is told: to note where it was made costs more than the rest of a short statement. */
const tooLate = {
  get error() {
    return new Error('this transaction is over')
  },
}

/** The statements of one borrower of a connection, in the order of their calls. */
export interface Line {
  /** Runs a statement; it travels with everything requested before the process waits for an answer. */
  ask(statement: Statement): Promise<Row[]>
  /** Runs one with the next request, without its result; if it fails, so does every later one. */
  hold(statement: Statement): void
  /** Whether anything has departed. */
  readonly isUsed: boolean
  /** Whether anything was requested, even if it could not be sent. */
  readonly isAsked: boolean
  /** The error of the first statement that failed. */
  readonly failure: Error | undefined
  /** From now on nothing departs. */
  close(): void
}

/** `opening` begins a transaction: it goes before all others, if there are any. */
export function openLine(client: pg.ClientBase, types: pg.CustomTypesConfig, opening: readonly Statement[] = []): Line {
  let waiting: Leg[] = []
  let failure: { error: unknown } | undefined
  let isWanted = false
  let isFlying = false
  let isScheduled = false
  let isUsed = false

  function depart(): void {
    isScheduled = false
    if (isFlying || waiting.length === 0) return
    const legs = waiting
    waiting = []
    isWanted = false
    if (failure) {
      turnBack(legs, failure.error)
      return
    }
    if (!isUsed) legs.unshift(...opening.map((statement) => legOf({ statement, ...silent })))
    isFlying = true
    isUsed = true
    const landed = (): void => {
      isFlying = false
      if (isWanted) schedule()
    }
    client.query(flight(legs, { types, isInTransaction: opening.length > 0, landed }) as pg.Submittable)
  }

  function turnBack(legs: readonly Leg[], error: unknown): void {
    for (const { reject } of legs) reject(error)
  }

  // After everything that can continue without an answer has continued, so that its requests travel together: once more
  // after what was gathered from them (gather.ts).
  function schedule(): void {
    if (isScheduled || isFlying) return
    isScheduled = true
    process.nextTick(() => process.nextTick(depart))
  }

  const legOf = ({ statement, resolve, reject }: Omit<Leg, 'values'>): Leg => ({
    statement,
    values: statement.values.map(prepareValue),
    resolve,
    reject(error) {
      failure ??= { error }
      reject(error)
    },
  })

  function enter(entry: Omit<Leg, 'values'>): void {
    try {
      if (failure) throw failure.error
      waiting.push(legOf(entry))
    } catch (error) {
      failure ??= { error }
      entry.reject(error)
    }
  }

  return {
    ask: (statement) =>
      new Promise((resolve, reject) => {
        enter({ statement, resolve, reject })
        isWanted = true
        schedule()
      }),
    hold(statement) {
      enter({ statement, ...silent })
    },
    get isUsed() {
      return isUsed
    },
    get isAsked() {
      return isUsed || waiting.length > 0 || failure !== undefined
    },
    get failure() {
      return failure?.error as Error | undefined
    },
    close() {
      const left = waiting
      waiting = []
      failure ??= tooLate
      if (left.length > 0) turnBack(left, failure.error)
    },
  }
}
