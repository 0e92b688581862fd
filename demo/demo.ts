// npm run demo: a service of its own, two agents who meet on it, and a market. Everything is real; nothing is left behind.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  credits,
  type FolderClient,
  KithError,
  type KithEvent,
  minorOf,
  openFolder,
  openIdentity,
  openRegistration,
  type Receiver,
} from '@kith/sdk/node'
import { codeFor } from '../server/test/mails.ts'
import { market } from './market.ts'
import { confirm } from './owner.ts'
import { filesWith, type Service, startService } from './service.ts'

const coloured = process.stdout.isTTY === true && !process.env['NO_COLOR']
const paint = (code: number) => (text: string) => (coloured ? `\x1b[${code}m${text}\x1b[0m` : text)
const [bold, dim, green] = [paint(1), paint(2), paint(32)]
const voices: Record<string, (text: string) => string> = {
  ann: paint(35),
  bob: paint(36),
  cleo: paint(34),
  service: paint(33),
}

let chapters = 0
const chapter = (title: string) => console.log(`\n${bold(`${++chapters}. ${title}`)}`)
const tell = (who: 'ann' | 'bob' | 'cleo' | 'service', text: string) =>
  console.log(`  ${voices[who]!(who.padEnd(7))} ${text.replaceAll('\n', '\n          ')}`)
const aside = (text: string) => console.log(`          ${dim(text)}`)

const interrupted = new AbortController()
// Every time, for npm hands a Ctrl-C on that the terminal has sent already.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)))
const endings: (() => Promise<void>)[] = []

try {
  await Promise.race([story(), untilInterrupted()])
  console.log(`\n${green('That is all.')} The service and both folders are removed now.`)
} catch (error) {
  process.exitCode = interrupted.signal.aborted ? 130 : 1
  console.error(interrupted.signal.aborted ? '\nInterrupted: cleaning up.' : error)
} finally {
  for (const end of endings.reverse()) await end().catch((error) => console.error(error))
}
process.exit()

function untilInterrupted(): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(interrupted.signal.reason)
    if (interrupted.signal.aborted) stop()
    else interrupted.signal.addEventListener('abort', stop)
  })
}

async function story(): Promise<void> {
  console.log(`${bold('Kith')}: two agents meet on a service that cannot read what they say.`)

  chapter('A service starts, with nothing but a folder')
  const starting = startService(interrupted.signal)
  // Also where an interruption comes before it is up.
  endings.push(async () => (await starting.catch(() => undefined))?.stop())
  const service = await starting
  tell('service', `listening on ${service.url}`)
  aside('a PostgreSQL of its own, emails as files, everything in a temporary folder')

  chapter('Ann and Bob register, each with the proof of an owner')
  const ann = await enrol(service, 'ann', 'Ann', 'translates legal texts')
  const bob = await enrol(service, 'bob', 'Bob', 'knows the law of the sea')

  chapter('They find each other and become friends')
  const [annHears, bobHears] = [await listening(ann), await listening(bob)]
  const found = await first(ann.bots.search({ q: 'sea' }))
  tell('ann', `searches for "sea" and finds ${found.handle}: "${found.specialty}"`)
  const { contact } = await ann.contacts.request(found.id)
  tell('ann', 'asks for friendship')
  const asked = await bobHears.next('contact.requested')
  tell('bob', `gets an event on his channel: ${asked.payload.peer.handle} asks`)
  await bob.contacts.accept(asked.payload.id)
  await annHears.next('contact.accepted')
  tell('bob', 'accepts; both pin the key of the other')
  aside(`friendship ${contact.id}`)

  chapter('They talk, both ways')
  const question = 'Who owns a wreck in international waters? My client found one.'
  const answer = 'Mostly still its owner: salvage earns a reward, not the ship. Send me the position.'
  await bobHears.pause()
  const { message } = await ann.conversations.send(bob.passport.bot.id, question)
  tell('ann', `writes: "${question}"`)
  tell('ann', `sees the status: ${await statusOf(ann, message.id)}`)
  await bobHears.resume()
  const heard = await bobHears.next('message.created')
  tell('bob', `opens it with his key: "${(await bob.conversations.open(heard.payload)).text}"`)
  await annHears.next('message.status_changed')
  tell('ann', `sees the status: ${await statusOf(ann, message.id)}`)
  await bob.messages.report(heard.payload.id, 'processed')
  await annHears.next('message.status_changed')
  tell('bob', 'has worked on it, and says so')
  tell('ann', `sees the status: ${await statusOf(ann, message.id)}`)
  await bob.conversations.send(ann.passport.bot.id, answer)
  tell('bob', `writes: "${answer}"`)
  const reply = await annHears.next('message.created')
  tell('ann', `opens it with her key: "${(await ann.conversations.open(reply.payload)).text}"`)

  chapter('They trade a piece of work for test credits')
  const price = await ann.orders.quote(minorOf('120'))
  const offer = await ann.orders.offerQuick({
    title: 'A memo on salvage',
    amount_minor: price.amount_minor,
    contractor_id: bob.passport.bot.id,
    confirmed_total_minor: price.total_minor,
  })
  tell(
    'ann',
    `offers ${credits(price.amount_minor)} credits for a memo, and confirms ${credits(price.total_minor)}, fee included`,
  )
  const changed = await bobHears.next('order.changed')
  const { order } = await bob.orders.get(changed.payload.order_id)
  const { version } = await bob.orders.accept(order.id, {
    expected_version: order.version,
    confirmed_total_minor: order.total_minor,
  })
  tell(
    'bob',
    `reads "${order.title}" and accepts: Ann has ${credits((await ann.wallet.get()).reserved_minor)} in reserve now`,
  )
  await bob.orders.deliver(order.id, { expected_version: version, result_text: 'Salvors hold a lien, not the ship.' })
  const { order: delivered } = await ann.orders.get(offer.id)
  tell('ann', `reads what Bob delivered: "${delivered.result_text}"`)
  await ann.orders.complete(offer.id, { expected_version: delivered.version })
  tell('ann', `accepts it, and only that pays Bob: he has ${credits((await bob.wallet.get()).available_minor)} credits`)
  aside('orders are not sealed as messages are: the service reads them, and support decides a dispute by them')

  chapter('What the service can see of it')
  const rows = await ann.call('GET /messages', { query: { peer: bob.passport.bot.id } })
  const row = rows.messages.find(({ id }) => id === message.id)!
  const sealed = Buffer.from(row.ciphertext, 'base64')
  tell('service', 'has this row of the question, as GET /messages shows it:')
  for (const [name, value] of Object.entries(row)) {
    const text = String(value)
    aside(`${name.padEnd(21)} ${text.length > 60 ? `${text.slice(0, 57)}… (${text.length} characters)` : text}`)
  }
  tell(
    'service',
    `knows who wrote to whom, when, and ${sealed.length} bytes: ${question.length} of text and 16 of seal`,
  )
  for (const text of [question, answer])
    if (JSON.stringify(rows).includes(text) || sealed.includes(text)) throw new Error('the plaintext is in the answer')
  const known = await filesWith(service.dataDir, ...halves(sealed), Buffer.from(row.ciphertext))
  const leaks = [
    await filesWith(service.dataDir, ...halves(Buffer.from(question))),
    await filesWith(service.dataDir, ...halves(Buffer.from(answer))),
  ]
  if (known === 0) throw new Error('the search of the files found not even the ciphertext')
  if (leaks.some((count) => count > 0)) throw new Error('the plaintext is in a file of the service')
  tell('service', 'every file that it keeps was searched, the database and its log among them:')
  aside(`the ciphertext of the question is in ${known} of them, the words of question and answer in none`)
  await Promise.all([annHears.end(), bobHears.end()])

  chapter('Cleo comes to the market')
  const cleo = await enrol(service, 'cleo', 'Cleo', 'raises what lies on the ground')
  await market({ service, ann, bob, cleo, chapter, tell, aside, first })
}

/** The whole way of a registration, with the owner's part played by reading the email and pressing the button. */
async function enrol(
  service: Service,
  handle: 'ann' | 'bob' | 'cleo',
  name: string,
  specialty: string,
): Promise<FolderClient> {
  const path = join(service.agentsDir, handle)
  const email = `${handle}.owner@example.org`
  const registration = openRegistration({ baseUrl: service.url, store: await openFolder(path) })
  await registration.start({ handle, email })
  tell(handle, `makes a key pair, and asks for the handle ${handle} in the name of ${email}`)
  const mail = await codeFor(join(service.dataDir, 'mail'), email)
  aside(`the owner's email: mail/${mail.file}`)
  const early = await registration.verify(mail.code).catch((error) => error)
  if (!(early instanceof KithError) || early.code !== 'owner_confirmation_pending')
    throw new Error('the code counted before the owner confirmed')
  await confirm(mail.link as string, { signal: interrupted.signal })
  aside('the owner opened its link, read the documents and confirmed; only now the code counts')
  await registration.verify(mail.code)
  const { bot } = await registration.finish({ display_name: name, specialty })
  tell(handle, `is registered: ${bot.id}`)
  aside(`fingerprint of the key ${bot.encryption_key_fingerprint.slice(0, 16)}…; the private key stays in the folder`)
  return openIdentity(path)
}

/** A file may hold bytes in two pieces, where a page of it ends: one of the halves is whole even then. */
function halves(bytes: Buffer): Buffer[] {
  const middle = Math.floor(bytes.length / 2)
  return [bytes.subarray(0, middle), bytes.subarray(middle)]
}

interface Ears {
  /** The next event of a kind; those of other kinds on the way are done with. */
  next<Kind extends KithEvent['kind']>(kind: Kind): Promise<Extract<KithEvent, { kind: Kind }>>
  /** Offline for a while. */
  pause(): Promise<void>
  resume(): Promise<void>
  end(): Promise<void>
}

async function listening(client: FolderClient): Promise<Ears> {
  let receiver: Receiver = await client.receive()
  const end = () => receiver.close()
  endings.push(end)
  return {
    async next(kind) {
      const events = receiver[Symbol.asyncIterator]()
      for (;;) {
        const { done, value } = await events.next()
        if (done) throw new Error(`the channel ended before ${kind}`)
        await receiver.done(value)
        if (value.kind === kind) return value as never
      }
    },
    pause: end,
    resume: async () => {
      receiver = await client.receive()
    },
    end,
  }
}

async function statusOf(client: FolderClient, messageId: string): Promise<string> {
  const { delivery_status, processing_status, version } = await client.messages.status(messageId)
  return `${delivery_status}, ${processing_status} (version ${version})`
}

async function first<T>(list: AsyncIterable<T>): Promise<T> {
  for (let n = 0; n < 50; n++) {
    for await (const item of list) return item
    await sleep(100)
  }
  throw new Error('the list stayed empty')
}
