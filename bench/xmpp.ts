// The least XMPP client: a session over plain TCP, with stream management, whose acknowledgements say that a stanza was handled.
// RFC 6120; XEP-0198.
import { connect, type Socket } from 'node:net'
import type { Link } from './load.ts'

/** The only host of the server. */
export const host = 'localhost'

interface Session {
  socket: Socket
  onText: (text: string) => void
}

const management = 'urn:xmpp:sm:3'
const opening = `<stream:stream to='${host}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`

/** Signs in, is present, and counts stanzas from here on. */
async function signIn(port: number, user: string, password: string): Promise<Session> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  const session: Session = { socket, onText: () => {} }
  socket.setEncoding('utf8').on('data', (text: string) => session.onText(text))
  const exchange = (words: string, end: string): Promise<void> =>
    new Promise((resolve, reject) => {
      let heard = ''
      const ended = (): void => reject(new Error(`${user} heard no ${end}: ${heard}`))
      socket.once('close', ended).once('error', ended)
      session.onText = (text) => {
        heard += text
        if (!heard.includes(end)) return
        socket.off('close', ended).off('error', ended)
        resolve()
      }
      socket.write(words)
    })
  await exchange(opening, '</stream:features>')
  const secret = Buffer.from(`\0${user}\0${password}`).toString('base64')
  await exchange(`<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`, '<success')
  await exchange(opening, '</stream:features>')
  await exchange(`<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>`, '</iq>')
  await exchange(`<presence/>`, '<presence')
  await exchange(`<enable xmlns='${management}'/>`, '<enabled')
  // What still waits then is rejected by its end.
  socket.on('error', () => {})
  return session
}

/** A message, a request for the number of stanzas, or that number. */
const incoming = /<message\b[^>]*?\sid='([^']*)'.*?<\/message>|<(r)\b[^>]*>|<a\b[^>]*?\sh='(\d+)'[^>]*>/gs

/** A sender whose every message asks to be acknowledged, and a receiver that acknowledges whenever it is asked. */
export async function link(port: number, [from, to]: readonly [string, string], password: string): Promise<Link> {
  const [sender, receiver] = [await signIn(port, from, password), await signIn(port, to, password)]
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = []
  let [taken, got] = [0, 0]
  const result: Link = {
    send: (id, text) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        sender.socket.write(
          `<message to='${to}@${host}' type='chat' id='${id}'><body>${text}</body></message><r xmlns='${management}'/>`,
        )
      }),
    onArrival: () => {},
    close() {
      for (const { socket } of [sender, receiver]) socket.destroy()
    },
  }
  sender.socket.once('close', () => {
    for (const { reject } of waiting) reject(new Error('ejabberd ended a session'))
  })
  sender.onText = reader(({ count }) => {
    for (; count !== undefined && taken < Number(count); taken++) waiting.shift()?.resolve()
  })
  receiver.onText = reader(({ message, request }) => {
    if (message !== undefined) {
      got++
      result.onArrival(message)
    }
    if (request !== undefined) receiver.socket.write(`<a xmlns='${management}' h='${got}'/>`)
  })
  return result
}

interface Heard {
  message: string | undefined
  request: string | undefined
  count: string | undefined
}

/** Splits what comes in, which may end anywhere. */
function reader(hear: (heard: Heard) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    rest += text
    let end = 0
    for (const found of rest.matchAll(incoming)) {
      end = found.index + found[0].length
      hear({ message: found[1], request: found[2], count: found[3] })
    }
    rest = rest.slice(end)
  }
}
