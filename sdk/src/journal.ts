// Write-ahead of every mutation: the exact bytes are on disk before they are sent, and stay there until the outcome is
// known and handed over. So a crash or a lost answer never makes two of what was meant once
// (docs/contract/representation.md#idempotency).
import { KithError, KithInputError, KithNetworkError, KithReusedIdError } from './errors.ts'
import type { Answer, Call } from './http.ts'
import { isForeign } from './reach.ts'
import { type RetryPolicy, retrying } from './retry.ts'
import { isUuid, type Runtime } from './runtime.ts'
import { readJson, type Store, writeJson } from './store.ts'

/** A mutation as it lies in `journal/<id>`. */
export interface Entry {
  id: string
  method: string
  path: string
  /** The exact bytes, as text; null for a request without a body. */
  body: string | null
  /** ISO 8601. */
  created_at: string
  /** The answer is to stay readable under the id after the end, because the caller may ask with the same id again. */
  keep: boolean
}

/** How a mutation that an earlier run left open ended now. */
export interface Outcome {
  entry: Entry
  answer?: Answer
  /** Set instead of the answer when the service refused it for good. */
  refusal?: KithError
}

export interface Mutation {
  /**
   * The caller's own id: its operation_id, or client_message_id. Asking again with it, even after a crash, sends the
   * saved bytes or gives the saved answer. Without one the journal makes its own.
   */
  id?: string | undefined
  method: string
  path: string
  /** Builds the exact bytes; not called when an earlier run saved some under this id. */
  body: (id: string) => string | null
  /** Whether what is saved under the same id means what is asked for now; by default method, path and bytes must be equal. */
  same?: (saved: Entry) => boolean
  signal?: AbortSignal | undefined
}

export interface Journal {
  /**
   * Save, send (retrying the same bytes), hand over. `settle`, where given, stores the answer first: the entry is
   * removed only after it resolved. What sets or unsets (a vote, a subscription) takes the place of what was left open on
   * the same path: the last word counts.
   *
   * Throws `KithError` for a refusal, `KithNetworkError` when the outcome stayed unknown. Where `error.operationId` is
   * set the entry is still saved; `resume` sends it again. `KithReusedIdError`: the id was used for something else. A DELETE
   * that is repeated and finds nothing has succeeded: its answer is `{ deleted: true }`.
   */
  mutate(mutation: Mutation, settle?: (answer: Answer) => Promise<void>): Promise<Answer>
  /** What earlier runs, or calls with an unknown outcome, left open; oldest first. */
  pending(): Promise<Entry[]>
  /**
   * Send every open entry again. `settle` is awaited before an entry is removed, so an outcome is told at least once.
   * Stops with the error of the first entry whose outcome stays unknown.
   */
  resume(settle?: (outcome: Outcome) => Promise<void>): Promise<Outcome[]>
  /** What was begun under an id of the caller's: open, or answered and its answer kept. */
  saved(id: string): Promise<Entry | undefined>
  /** Give up an entry: it is not sent again. It may have taken effect already. */
  abandon(id: string): Promise<void>
}

/** Kept answers beyond this many are thinned to half, oldest first. */
const mostAnswers = 2_000

export function createJournal(deps: {
  store: Store
  runtime: Runtime
  retry: RetryPolicy
  send: (call: Call) => Promise<Answer>
}): Journal {
  const { store, runtime } = deps
  /** Entries that a call of this process is busy with, so that `resume` leaves them alone. */
  const busy = new Map<string, number>()

  /** Send until the outcome is known. `doubtful`: an earlier sending may have arrived. */
  async function transmit(entry: Entry, doubtful: boolean, signal?: AbortSignal): Promise<Answer> {
    let arrived = doubtful
    try {
      return await retrying(
        runtime,
        deps.retry,
        async () => {
          try {
            return await deps.send({ method: entry.method, path: entry.path, body: entry.body ?? undefined, signal })
          } catch (error) {
            arrived ||= !(error instanceof KithError) || isForeign(error) || error.status >= 500 || error.status === 408
            throw error
          }
        },
        signal,
      )
    } catch (error) {
      // What an earlier sending deleted is not there to be deleted again.
      if (arrived && isDeletion(entry) && error instanceof KithError && error.status === 404 && !isForeign(error))
        return { status: 200, body: { deleted: true }, requestId: error.requestId }
      const final = error instanceof KithError && isFinal(error, arrived)
      if (!final && (error instanceof KithError || error instanceof KithNetworkError)) error.operationId = entry.id
      throw error
    }
  }

  /** Hand over, then forget: a crash in between tells the outcome again, which is better than never. */
  async function finish(entry: Entry, answer: Answer): Promise<void> {
    if (entry.keep) await writeJson(store, `answers/${entry.id}`, { entry, answer })
    await store.remove(`journal/${entry.id}`)
    if (entry.keep) await thin()
  }

  async function thin(): Promise<void> {
    const ids = await store.list('answers')
    if (ids.length <= mostAnswers) return
    const aged: { id: string; at: string }[] = []
    for (const id of ids) aged.push({ id, at: (await readJson<Kept>(store, `answers/${id}`))?.entry.created_at ?? '' })
    aged.sort((a, b) => (a.at < b.at ? -1 : 1))
    for (const { id } of aged.slice(0, ids.length - mostAnswers / 2)) await store.remove(`answers/${id}`)
  }

  async function begin(mutation: Mutation): Promise<{ entry: Entry; fresh: boolean }> {
    const id = mutation.id ?? crypto.randomUUID()
    const saved = mutation.id === undefined ? undefined : await readJson<Entry>(store, `journal/${id}`)
    if (saved) return { entry: checkSame(saved, mutation), fresh: false }
    const entry: Entry = {
      id,
      method: mutation.method,
      path: mutation.path,
      body: mutation.body(id),
      created_at: new Date(runtime.now()).toISOString(),
      keep: mutation.id !== undefined,
    }
    if (await store.create(`journal/${id}`, `${JSON.stringify(entry)}\n`)) return { entry, fresh: true }
    // Another sender of the same id was quicker: its bytes are the ones that count.
    return begin(mutation)
  }

  /** Hold the id while `act` runs, so that `resume` leaves it alone. */
  async function busily<T>(id: string, act: () => Promise<T>): Promise<T> {
    busy.set(id, (busy.get(id) ?? 0) + 1)
    try {
      return await act()
    } finally {
      const left = busy.get(id)! - 1
      if (left === 0) busy.delete(id)
      else busy.set(id, left)
    }
  }

  async function answered(mutation: Mutation): Promise<Answer | undefined> {
    if (mutation.id === undefined) return undefined
    const kept = await readJson<Kept>(store, `answers/${mutation.id}`)
    if (kept) checkSame(kept.entry, mutation)
    return kept?.answer
  }

  /** Let go of what an earlier word left open: sent later, it would undo this one. */
  async function supersede(entry: Entry): Promise<void> {
    for (const { id, method, path } of await pending())
      if (path === entry.path && isSwitch(method, path)) await store.remove(`journal/${id}`)
  }

  async function pending(): Promise<Entry[]> {
    const entries: Entry[] = []
    for (const id of await store.list('journal')) {
      const entry = busy.has(id) ? undefined : await readJson<Entry>(store, `journal/${id}`)
      if (entry) entries.push(entry)
    }
    return entries.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }

  /** One open entry to its end; undefined if it was ended, given up or taken the place of meanwhile. */
  async function settleEntry(
    entry: Entry,
    settle: ((outcome: Outcome) => Promise<void>) | undefined,
  ): Promise<Outcome | undefined> {
    if ((await store.read(`journal/${entry.id}`)) === undefined) return undefined
    let outcome: Outcome
    try {
      outcome = { entry, answer: await transmit(entry, true) }
    } catch (error) {
      if (!(error instanceof KithError) || !isFinal(error, true)) throw error
      outcome = { entry, refusal: error }
    }
    await settle?.(outcome)
    if (outcome.answer) await finish(entry, outcome.answer)
    else await store.remove(`journal/${entry.id}`)
    return outcome
  }

  return {
    async mutate(mutation, settle) {
      if (mutation.id !== undefined && !isUuid(mutation.id))
        throw new KithInputError('an operation ID must be a lower-case UUID')
      const known = await answered(mutation)
      if (known) {
        await settle?.(known)
        return known
      }
      const { entry, fresh } = await begin(mutation)
      return busily(entry.id, async () => {
        if (isSwitch(entry.method, entry.path)) await supersede(entry)
        let answer: Answer
        try {
          answer = await transmit(entry, !fresh, mutation.signal)
        } catch (error) {
          if (error instanceof KithError && error.operationId === undefined) await store.remove(`journal/${entry.id}`)
          throw error
        }
        await settle?.(answer)
        await finish(entry, answer)
        return answer
      })
    },
    pending,
    async resume(settle) {
      const outcomes: Outcome[] = []
      for (const entry of await pending()) {
        const outcome = await busily(entry.id, () => settleEntry(entry, settle))
        if (outcome) outcomes.push(outcome)
      }
      return outcomes
    },
    async saved(id) {
      if (!isUuid(id)) throw new KithInputError('an operation ID must be a lower-case UUID')
      // The answer is written before the entry goes, so one of the two is always there.
      return (await readJson<Entry>(store, `journal/${id}`)) ?? (await readJson<Kept>(store, `answers/${id}`))?.entry
    },
    abandon: (id) => store.remove(`journal/${id}`),
  }
}

/** What is set by PUT and unset by DELETE on the same path, and is no thing of its own. */
const isSwitch = (method: string, path: string): boolean =>
  method === 'PUT' || (method === 'DELETE' && /\/(vote|subscription)$/.test(path))

const isDeletion = ({ method, path }: Entry): boolean => method === 'DELETE' && !isSwitch(method, path)

interface Kept {
  entry: Entry
  answer: Answer
}

function checkSame(saved: Entry, { method, path, body, same }: Mutation): Entry {
  const isSame = same?.(saved) ?? (saved.method === method && saved.path === path && saved.body === body(saved.id))
  if (!isSame)
    throw new KithReusedIdError(
      `${saved.id} was already used for something else: every request needs its own operation ID`,
    )
  return saved
}

/**
 * Whether a refusal ends the matter. 401 and 429 come before the service looks for a replay, so they say nothing of an
 * earlier sending that may have arrived; a 5xx says nothing at all, unless the service is not set up yet, and neither
 * does what is not of the service.
 */
function isFinal(error: KithError, mayHaveArrived: boolean): boolean {
  if (error.code === 'verification_setup_pending') return true
  if (isForeign(error)) return false
  if (error.status === 401 || error.status === 429) return !mayHaveArrived
  return error.status !== 408 && error.status < 500
}
