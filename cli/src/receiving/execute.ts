// `kith listen --exec`: a command handles each event, and what it exits with decides what happens to the event. The inbox,
// the attempts and the dead letters are on the disk at every moment, so that this process may be killed at any.
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FolderClient, KithError, type KithEvent, KithNetworkError, KithTokenLostError } from '@kith/sdk/identity'
import type { Input } from '../command.ts'
import { usage } from '../exit.ts'
import { toJson } from '../json.ts'
import { identity } from '../profile.ts'
import { line } from '../safe.ts'
import { channelNotes } from './channel.ts'
import { createDelivery } from './delivery.ts'
import { eventData } from './event-data.ts'
import { runHandler } from './handler.ts'
import { lettersOf } from './letters.ts'
import { outputReader } from './reader.ts'
import { recipients } from './recipients.ts'
import { messageOf, subjectOf } from './subject.ts'

/** How soon a letter that `kith dead retry` brought back is seen. */
const lookAgainMs = 2_000
const stopSignals = ['SIGINT', 'SIGTERM'] as const

/** Ends with a signal, or after `limit` events. */
export async function execute(input: Input, limit: number): Promise<void> {
  const { io, args: command } = input
  const timeoutMs = 1000 * input.number('timeout', 300, { min: 0.1, max: 86_400 })
  const tries = input.number('tries', 5, { min: 1, max: 1_000, whole: true })
  const parallel = input.number('parallel', 1, { min: 1, max: 64, whole: true })
  if (command[0] === undefined) throw usage('the command to run is missing', 'kith listen --exec -- CMD')
  await checkProgram(command[0])
  const client = await identity(input)
  const letters = lettersOf(client.folder)
  const [stop, enough] = [new AbortController(), new AbortController()]
  const stopped = aborted(stop.signal)
  const receiver = await client.receive({ onStatus: channelNotes(io, client.passport.bot.handle).onStatus })
  const onSignal = () => stop.abort()
  const reader = outputReader(stop.signal)
  for (const name of stopSignals) process.on(name, onSignal)

  const delivery = createDelivery({
    letters,
    parallel,
    tries,
    run: async (event, attempt, cut) => {
      const text = await lineOf(client, event, input)
      if (text === undefined) return undefined
      const env = environmentOf(event, attempt, input.profile)
      return runHandler({ command, input: text, env, timeoutMs, signal: cut })
    },
    done: (event) => receiver.done(event),
    async says(attempt) {
      await reader.reads(io.line(attempt))
    },
    sleep: (ms, cut) => sleep(ms, undefined, { signal: cut }),
    now: Date.now,
  })

  const recipientOf = recipients(client)
  const subject = async (event: KithEvent): Promise<string> => {
    const messageId = messageOf(event)
    return subjectOf(event, messageId === undefined ? undefined : await recipientOf(messageId))
  }
  let left = limit
  const offer = (act: () => void) => {
    act()
    if (--left === 0) enough.abort()
  }

  async function takeEvents(kept: ReadonlySet<string>): Promise<void> {
    const events = receiver[Symbol.asyncIterator]()
    while (left > 0) {
      const { done, value: event } = await events.next()
      // What comes once it is enough stays in the inbox.
      if (done || left === 0) return
      if (kept.has(event.event_id)) {
        await receiver.done(event)
        continue
      }
      const of = await subject(event)
      if (left > 0) offer(() => delivery.offer(event, of))
    }
  }

  async function takeLetters(): Promise<void> {
    const over = AbortSignal.any([stop.signal, enough.signal])
    while (!over.aborted) {
      for (const id of await letters.again()) {
        const letter = delivery.has(id) ? undefined : await letters.readAgain(id)
        const of = letter && (await subject(letter.event))
        if (letter && left > 0) offer(() => delivery.offerAgain(letter, of))
      }
      await sleep(lookAgainMs, undefined, { signal: over }).catch(() => {})
    }
  }

  async function work(): Promise<void> {
    const open = (await client.stored()).flatMap(({ event, done }) => (done ? [] : [event.event_id]))
    const kept = await letters.begin(open)
    await Promise.race([Promise.all([takeEvents(kept), takeLetters()]), aborted(enough.signal)])
    await delivery.idle()
  }

  try {
    await Promise.race([work(), delivery.failed, stopped])
  } finally {
    stop.abort()
    await delivery.stop()
    await receiver.close()
    for (const name of stopSignals) process.off(name, onSignal)
  }
  reader.leave()
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

/** What the command reads; undefined if the service has to be asked for something first, and does not answer. */
async function lineOf(client: FolderClient, event: KithEvent, input: Input): Promise<string | undefined> {
  try {
    return `${toJson(await eventData(client, event, input))}\n`
  } catch (error) {
    if (error instanceof KithTokenLostError || !(error instanceof KithError || error instanceof KithNetworkError))
      throw error
    input.io.note(`${event.event_id} has to wait: ${line(error.message)}`)
    return undefined
  }
}

function environmentOf(event: KithEvent, attempt: number, profile: string): Record<string, string> {
  return {
    KITH_EVENT_ID: event.event_id,
    // The name of a kind and nothing else, whatever a service sends.
    KITH_EVENT_KIND: /^[a-z_]+(\.[a-z_]+)*$/.test(event.kind) ? event.kind : 'unknown',
    KITH_PROFILE: profile,
    KITH_ATTEMPT: String(attempt),
  }
}

/** A typo must not make dead letters of everything that waits. */
async function checkProgram(name: string): Promise<void> {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  for (const folder of folders) {
    const path = folder === '' ? name : join(folder, name)
    const isProgram = await access(path, constants.X_OK).then(
      async () => (await stat(path)).isFile(),
      () => false,
    )
    if (isProgram) return
  }
  throw usage(
    `${line(name)} is not a program that can be run`,
    'give its path, such as ./handle.sh, and make it executable: chmod +x',
  )
}
