// What two processes say to each other over the channel between them: everything of one turn of the event loop goes in one
// message. An answer belongs to its question; a hint may be dropped if the other side does not read.

/** What one side can be told or asked, by name: what it takes, and what it answers. */
// biome-ignore lint/suspicious/noExplicitAny: each verb has types of its own
export type Verbs = Readonly<Record<string, (body: any) => unknown>>

export interface Line<There extends Verbs> {
  tell<V extends keyof There & string>(verb: V, body: Parameters<There[V]>[0]): void
  /** As {@link tell}, unless too much waits to be read: the other side polls for what it missed. */
  hint<V extends keyof There & string>(verb: V, body: Parameters<There[V]>[0]): void
  /** Rejects if the line ends, or no answer comes in time. */
  ask<V extends keyof There & string>(
    verb: V,
    body: Parameters<There[V]>[0],
    withinMilliseconds?: number,
  ): Promise<Awaited<ReturnType<There[V]>>>
  /** Rejects what was not answered. */
  end(): void
}

/** A child, or the parent of this process. */
interface Port {
  send(message: unknown, sent: (error: Error | null) => void): unknown
}

/** Name, number of the question or 0, and what it is about. */
type Entry = [verb: string, question: number, body: unknown]

const answer = ''
const failure = '!'
/** Messages that the other side has not taken yet, from which on hints are dropped. */
const mostWaiting = 64

export interface OpenLine<There extends Verbs> extends Line<There> {
  /** Takes what the other side sent; false if it is something else. */
  receive(message: unknown): boolean
}

export function openLine<There extends Verbs>(port: Port, here: Verbs): OpenLine<There> {
  let entries: Entry[] = []
  let unsent = 0
  let asked = 0
  let isEnded = false
  const questions = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()

  const flush = (): void => {
    const all = entries
    entries = []
    if (isEnded) return
    unsent += 1
    // Whether the other process has ended is its exit's to say.
    port.send(all, () => {
      unsent -= 1
    })
  }
  const put = (verb: string, question: number, body: unknown): void => {
    if (isEnded) return
    if (entries.length === 0) setImmediate(flush)
    entries.push([verb, question, body])
  }
  async function reply(verb: string, question: number, body: unknown): Promise<void> {
    try {
      put(answer, question, await here[verb]?.(body))
    } catch (error) {
      put(failure, question, (error as Error).message)
    }
  }

  return {
    tell: (verb, body) => put(verb, 0, body),
    hint(verb, body) {
      if (unsent < mostWaiting) put(verb, 0, body)
    },
    ask(verb, body, within) {
      if (isEnded) return Promise.reject(new Error('the other process has ended'))
      const question = ++asked
      const timer =
        within && setTimeout(() => questions.get(question)?.reject(new Error('no answer in time')), within).unref()
      const answered = new Promise<never>((resolve, reject) => questions.set(question, { resolve, reject }))
      put(verb, question, body)
      return answered.finally(() => {
        questions.delete(question)
        if (timer) clearTimeout(timer)
      })
    },
    end() {
      isEnded = true
      for (const { reject } of questions.values()) reject(new Error('the other process has ended'))
    },
    receive(message) {
      if (!Array.isArray(message)) return false
      for (const [verb, question, body] of message as Entry[]) {
        if (verb === answer) questions.get(question)?.resolve(body as never)
        else if (verb === failure) questions.get(question)?.reject(new Error(String(body)))
        else if (question === 0) here[verb]?.(body)
        else void reply(verb, question, body)
      }
      return true
    },
  }
}
