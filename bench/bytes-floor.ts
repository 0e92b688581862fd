// The least that takes and gives the same bytes: node:http, a file, and a sync before the answer. No rights, no
// inspection, no digest.
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = await mkdtemp(join(tmpdir(), 'kith-floor-'))
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    const name = randomUUID()
    await pipeline(request, createWriteStream(join(folder, name)))
    const file = await open(join(folder, name))
    await file.sync()
    await file.close()
    return response.writeHead(201, { 'content-length': name.length }).end(name)
  }
  const file = await open(join(folder, (request.url as string).slice(1)))
  const { size } = await file.stat()
  await file.close()
  response.writeHead(200, { 'content-length': size })
  await pipeline(createReadStream(join(folder, (request.url as string).slice(1))), response).catch(() => {})
})
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('SIGTERM', async () => {
  await rm(folder, { recursive: true, force: true })
  process.exit(0)
})
