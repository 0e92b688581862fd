// What `kith listen --exec` keeps beside the inbox, in the profile's folder: how often each event was tried, the dead
// letters, and those of them that are to be tried again. A letter is always in one of the places, or in two for a moment.
import { type KithEvent, readJson, type Store } from '@kith/sdk/identity'

/** An event that could not be handled. */
export interface Letter {
  event: KithEvent
  /** Runs that counted. */
  attempts: number
  /** What the last one exited with. */
  exit: number
  died_at: string
}

const tried = 'cli-tried'
const dead = 'cli-dead'
const retried = 'cli-again'

export interface Letters {
  /** Runs of an event that counted, over all processes. */
  attempts(eventId: string): Promise<number>
  /** Durable when it resolves; 0 forgets the event. */
  count(eventId: string, attempts: number): Promise<void>
  /**
   * What a crash or another command left behind, with the events that the inbox has open: events that are letters already,
   * though the inbox does not know it yet, are returned; attempts of events that are done since are forgotten.
   */
  begin(open: readonly string[]): Promise<ReadonlySet<string>>
  /** It is a dead letter when this resolves. */
  bury(letter: Letter): Promise<void>
  /** A letter that was tried again is handled. */
  settle(eventId: string): Promise<void>
  dead(): Promise<string[]>
  again(): Promise<string[]>
  read(eventId: string): Promise<Letter | undefined>
  readAgain(eventId: string): Promise<Letter | undefined>
  /** It is tried again; false if it is not a dead letter. */
  retry(eventId: string): Promise<boolean>
  /** It is gone; false if it was not there. */
  drop(eventId: string): Promise<boolean>
}

export function lettersOf(folder: Store): Letters {
  const at = (place: string, id: string): Promise<Letter | undefined> => readJson(folder, `${place}/${id}`)
  /** One at a time moves a letter: a handler and the owner's command may want to at once. */
  const moving = async <T>(act: () => Promise<T>): Promise<T> => {
    const unlock = await folder.lock(dead)
    try {
      return await act()
    } finally {
      await unlock()
    }
  }
  const put = (place: string, letter: Letter) =>
    folder.write(`${place}/${letter.event.event_id}`, `${JSON.stringify(letter)}\n`)
  return {
    attempts: async (id) => Number((await folder.read(`${tried}/${id}`)) ?? 0),
    count: (id, attempts) =>
      attempts === 0 ? folder.remove(`${tried}/${id}`) : folder.write(`${tried}/${id}`, `${attempts}\n`),
    async begin(open) {
      const again = await folder.list(retried)
      const counted = new Set([...open, ...again])
      for (const id of await folder.list(tried)) if (!counted.has(id)) await folder.remove(`${tried}/${id}`)
      return new Set([...(await folder.list(dead)), ...again])
    },
    bury: (letter) =>
      moving(async () => {
        await put(dead, letter)
        await folder.remove(`${retried}/${letter.event.event_id}`)
      }),
    settle: (id) =>
      moving(async () => {
        await folder.remove(`${dead}/${id}`)
        await folder.remove(`${retried}/${id}`)
      }),
    dead: () => folder.list(dead),
    again: () => folder.list(retried),
    read: (id) => at(dead, id),
    readAgain: (id) => at(retried, id),
    retry: (id) =>
      moving(async () => {
        const letter = await at(dead, id)
        if (!letter) return false
        await put(retried, letter)
        await folder.remove(`${dead}/${id}`)
        return true
      }),
    drop: (id) =>
      moving(async () => {
        const letter = await at(dead, id)
        await folder.remove(`${dead}/${id}`)
        return letter !== undefined
      }),
  }
}
