// The one way to list with pages: entries of one shape under one name, and `pagination` beside them.
// docs/contract/representation.md#lists.
import { type Page, pagination, type Rows } from '../kernel/lists.ts'
import { closed, described, Pagination, type TObject, type TProperties, type TSchema, Type } from '../kernel/schema.ts'
import { alongside } from '../store/once.ts'
import type { Tx } from '../store/sql.ts'
import { page, pageSize, type QueryFields } from './query.ts'
import type { Answer, Call, CallerOf, Contract, Route, Strategy } from './route.ts'

/** The parameters of every such list. */
export const pages = { page: page(1000), page_size: pageSize }

type NoFields = Record<never, never>

/** A call, and the moment whose state it returns. */
type Scene<P extends TProperties, Q extends QueryFields, M> = Call<P, Q & typeof pages, TObject, M> & { now: Date }

interface List<S extends Strategy, P extends TProperties, Q extends QueryFields, R>
  extends Omit<Contract<P, Q, TObject>, 'method' | 'success'> {
  caller: S
  gate?: Route<P, Q & typeof pages>['gate']
  /** For a list that finds its page; one that reads it is confirmed with its first statement. */
  confirms?: boolean
  /** The name of the entries in the response, the shape of each, and what they are. */
  items: readonly [name: string, entry: TSchema, meaning: string]
  /** An entry as the response has it; a row itself by default. */
  show?: (row: R, scene: Scene<P, Q, CallerOf[S]>) => unknown
}

/** A list reads a page in a snapshot, or finds it by statements of its own. */
type Source<P extends TProperties, Q extends QueryFields, M, R> =
  | { read: (tx: Tx, scene: Scene<P, Q, M>) => Promise<Rows<R>>; find?: never }
  | { find: (scene: Scene<P, Q, M>) => Promise<Rows<R>>; read?: never }

/** The parameters of its pages come after its own, unless it names them among those. */
export function listRoute<S extends Strategy, R, P extends TProperties = NoFields, Q extends QueryFields = NoFields>(
  list: List<S, P, Q, R> & Source<P, Q, CallerOf[S], R>,
): Route {
  const { items, query, read, find, show = (row: R) => row, ...contract } = list
  const [name, entry, meaning] = items
  const handle = (call: Call<P, Q & typeof pages, TObject, CallerOf[S]>): Promise<Answer> => {
    const { service } = call
    const answer = async (now: Date, source: (scene: typeof call & { now: Date }) => Promise<Rows<R>>) => {
      const scene = { ...call, now }
      const { rows, total } = await source(scene)
      return {
        body: { [name]: rows.map((row) => show(row, scene)), pagination: pagination(call.query as Page, total) },
      }
    }
    return find
      ? answer(service.clock.now(), find)
      : service.sql.snapshot((tx) =>
          answer(tx.now, (scene) => alongside(call.confirm(tx), (read as NonNullable<typeof read>)(tx, scene))),
        )
  }
  return {
    gate: 'own',
    deferred: false,
    confirms: read !== undefined,
    ...contract,
    method: 'GET',
    query: { ...query, ...pages, ...query },
    success: { 200: closed({ [name]: described(Type.Array(entry), meaning), pagination: Pagination }) },
    handle,
  } as unknown as Route
}
