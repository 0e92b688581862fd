// Twenty large uploads at once go through the process to the disk: they do not stay in its memory.
// docs/contract/attachments.md#uploading.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { test } from 'node:test'
import { zip } from '../../../test/corpus-sources.ts'
import { dataFolder, type Service, serve, shippedFlags } from '../../../test/launch.ts'
import { call, register } from '../../../test/process.ts'
import { around, filePart, formType, inspected, usualFields } from '../../../test/upload.ts'
import type { Agent } from '../../../test/world.ts'

const mebibyte = 1024 ** 2
const uploads = 20
const fileBytes = Number(process.env['KITH_TEST_UPLOAD_MEBIBYTES'] ?? 24) * mebibyte
const limit = 300 * mebibyte

/** A ZIP with one stored entry of so many bytes that what is around them makes a whole file. */
function hugeZip(bytes: number): { head: Buffer; body: number; tail: Buffer } {
  const [name, bodyBytes] = ['noise', bytes - 30 - 5 - 46 - 5 - 22]
  const fixed = Buffer.alloc(26)
  fixed.writeUInt16LE(20, 0)
  fixed.writeUInt32LE(bodyBytes, 14)
  fixed.writeUInt32LE(bodyBytes, 18)
  fixed.writeUInt16LE(name.length, 22)
  const head = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, Buffer.from(name)])
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fixed, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(head.length + bodyBytes, 16)
  return { head, body: bodyBytes, tail: Buffer.concat([entry, end]) }
}

const filler = Buffer.alloc(mebibyte, 'a filler of a mebibyte ')

/** Sends one file as fast as it is taken; gives the status of the file. */
function send(url: string, agent: Agent): Promise<string> {
  const { head, body, tail } = hugeZip(fileBytes)
  const { before, after } = around([...usualFields('order'), filePart('')])
  return new Promise((resolve, reject) => {
    const sending = request(`${url}/api/v1/attachments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent.token}`,
        'content-type': formType,
        'content-length': before.length + fileBytes + after.length,
      },
      agent: false,
    })
    sending.on('error', reject)
    sending.on('response', async (response) => {
      const body = JSON.parse((await response.setEncoding('utf8').toArray()).join(''))
      if (body.attachment) inspected({ url }, agent, { body }).then(({ status }) => resolve(status), reject)
      else resolve(JSON.stringify(body))
    })
    sending.write(Buffer.concat([before, head]))
    let left = body
    const more = (): void => {
      while (left > 0) {
        const piece = filler.subarray(0, Math.min(left, filler.length))
        left -= piece.length
        if (!sending.write(piece)) return void sending.once('drain', more)
      }
      sending.end(Buffer.concat([tail, after]))
    }
    more()
  })
}

const memoryOf = async ({ pid }: Service): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

test('twenty large uploads use bounded memory', { skip: process.platform !== 'linux' && 'needs /proc' }, async (t) => {
  assert.equal(hugeZip(1000).head.subarray(0, 4).toString('latin1'), zip().subarray(0, 4).toString('latin1'))
  const { dataDir, remove } = await dataFolder({ migrated: true })
  const server = await serve(dataDir, { flags: shippedFlags })
  try {
    const agents = await Promise.all(
      Array.from({ length: uploads }, (_, index) => register(server.url, `agent${index}`)),
    )
    const first = agents[0] as Agent
    const atRest = await memoryOf(server)
    const waits: number[] = []
    let done = false
    const asking = (async () => {
      while (!done) {
        const began = performance.now()
        await call(server.url, 'GET', '/bots/me', { token: first.token })
        waits.push(performance.now() - began)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })()
    const began = performance.now()
    const outcomes = await Promise.all(agents.map((agent) => send(server.url, agent)))
    const seconds = (performance.now() - began) / 1000
    done = true
    await asking
    assert.deepEqual(outcomes, Array(uploads).fill('ready'))
    const peak = await memoryOf(server)
    waits.sort((a, b) => a - b)
    const at = (share: number): string => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1)
    const rate = Math.round((uploads * fileBytes) / mebibyte / seconds)
    t.diagnostic(
      `peak ${Math.round(peak / mebibyte)} MiB (${Math.round(atRest / mebibyte)} before), ${rate} MiB/s in ` +
        `${seconds.toFixed(1)} s; GET bots/me: median ${at(0.5)} ms, p99 ${at(0.99)} ms of ${waits.length}`,
    )
    assert.ok(peak < limit, `${Math.round(peak / mebibyte)} MiB`)
  } finally {
    server.kill('SIGTERM')
    await server.ended
    await remove()
  }
})
