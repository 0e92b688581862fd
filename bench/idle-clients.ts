// Opens the connections of the idle-sockets bench and keeps them.
import { WebSocket } from 'ws'

process.once('message', async ({ url, tokens }: { url: string; tokens: string[] }) => {
  const open = (token: string) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/v1/events/`, ['platform.events.v10'], {
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
      })
      socket.once('open', resolve)
      socket.once('error', reject)
    })
  for (let at = 0; at < tokens.length; at += 50) await Promise.all(tokens.slice(at, at + 50).map(open))
  process.send?.('open')
})
