// The one way to change things: a route whose requests carry an operation ID runs at most once for each. In one
// transaction: token → replay → gate → act, whose first statements travel together; a replay reads again what was
// created, if its caller may still read it (docs/contract/representation.md#idempotency).
import type { Party } from '../kernel/callers.ts'
import { type Gate, passGate } from '../kernel/gate.ts'
import type { Static, TObject, TProperties } from '../kernel/schema.ts'
import type { Service } from '../service.ts'
import { alongside, once } from '../store/once.ts'
import type { Query, Tx } from '../store/sql.ts'
import { type Answer, type CallerOf, type Contract, created, type Route } from './route.ts'

type NoParams = Record<never, never>

/** What a change is given. */
interface MutationScene<P extends TProperties, M, W> {
  tx: Tx
  service: Service
  me: M
  params: Static<TObject<P>>
  /** The ID of the new object, or of the one that the route changes. */
  id: string
  input: W
}

/** A body without its operation ID. */
export type InputOf<B extends TObject> = Omit<Static<B>, 'operation_id'>

interface Mutation<P extends TProperties, B extends TObject, M, W, R extends { id: string }>
  extends Contract<P, NoParams, B> {
  gate: Gate
  body: B
  /** The parameter that names the object; undefined if the route creates one. */
  changes?: keyof P & string
  /**
   * The input in its canonical form, with defaults spelled out: replays are compared by it. Refuses what is always
   * wrong with it. By default the body without its operation ID.
   */
  input?: (given: { me: M; body: InputOf<B>; params: Static<TObject<P>> }) => W
  /** Refuses input that is wrong only at this moment: for a first request, and before the gate. */
  validateAt?: (now: Date, input: W) => void
  /** Refuses a caller who may not read the response. Checked before every act, and again before every replay. */
  admit?: (scene: Pick<MutationScene<P, M, W>, 'tx' | 'service' | 'me'>) => Promise<void>
  act: (scene: MutationScene<P, M, W>) => Promise<R>
  /** The response to a replay: the object's current state, if the caller may read it. */
  reread: (scene: Omit<MutationScene<P, M, W>, 'input'>) => Promise<R>
  /** The body of the response. */
  show: (tx: Tx, result: R, scene: { service: Service; me: M }) => unknown
}

/** A change by a caller found by this strategy, or by one of these. */
export const mutationBy =
  <S extends 'agent' | 'human'>(caller: S) =>
  <B extends TObject, R extends { id: string }, P extends TProperties = NoParams, W extends object = InputOf<B>>(
    mutation: Mutation<P, B, CallerOf[S], W, R>,
  ): Route => {
    const { gate, changes, input: inputOf, validateAt, admit, act, reread, show, ...contract } = mutation
    const nameOf = (params: Record<string, string>): string =>
      `${contract.method} ${contract.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string)}`

    type Call = Pick<MutationScene<P, CallerOf[S], W>, 'service' | 'me' | 'params'> & {
      body: Static<B> & { operation_id?: string }
      confirm: (sql: Query) => Promise<void>
    }
    const handle = ({ service, me, params, body, confirm }: Call): Promise<Answer> => {
      const { operation_id: operationId, ...given } = body as Record<string, unknown> & { operation_id?: string }
      const input = inputOf ? inputOf({ me, body: given as InputOf<B>, params }) : (given as unknown as W)
      const ids = params as Record<string, string>
      return service.sql.transaction(async (tx) => {
        const id = changes === undefined ? tx.newId() : (ids[changes] as string)
        const scene = { tx, service, me, params, id }
        const work = async (): Promise<R> => {
          validateAt?.(tx.now, input)
          passGate(service, me as Party, gate)
          await admit?.(scene)
          return act({ ...scene, input })
        }
        const readAgain = async (standing: string): Promise<R> => {
          await admit?.(scene)
          return reread({ ...scene, id: standing })
        }
        const run = async () =>
          operationId === undefined
            ? { created: true, value: await work() }
            : once(
                tx,
                { actor: (me as Party).id, operationId, name: nameOf(ids), content: input, resourceId: id },
                { act: work, reread: readAgain },
              )
        const done = await alongside(confirm(tx), run())
        const status = 201 in contract.success ? created(done.created) : 200
        return { status, body: await show(tx, done.value, { service, me }) }
      })
    }
    const refuses = [...(contract.refuses ?? []), 'idempotency_conflict' as const]
    // A route open to everyone need not wait for the replay.
    const early = gate === 'own' ? 'own' : 'verb'
    return {
      ...contract,
      refuses,
      caller,
      gate: early,
      passedLater: gate,
      deferred: false,
      confirms: true,
      handle,
    } as unknown as Route
  }

export const mutation = mutationBy('agent')

export const humanMutation = mutationBy('human')
