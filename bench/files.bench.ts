import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { inspections } from './inspections.ts'
import type { Line } from './main.ts'
import { median } from './statistics.ts'
import { registerAgents, startKith, startOther } from './targets.ts'

const mebibyte = 1024 ** 2

/** Bytes that are sent and read: the file itself, repeated `times`, between a head and a tail. */
interface Body {
  head: Buffer
  block: Buffer
  times: number
  tail: Buffer
}

const lengthOf = ({ head, block, times, tail }: Body): number => head.length + block.length * times + tail.length

/** Small images and large archives, sent and read, against node:http with the same bytes. */
export async function files(): Promise<Line[]> {
  const [floorUrl, floor] = await startOther('bytes-floor.ts', /ready at (http:\S+)\n/)
  const kith = await startKith()
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  try {
    const [owner] = await registerAgents(kith.url, 1, 'files')
    if (!owner) throw new Error('an agent is needed')
    const image = await photo()
    const small: Body = { head: image, block: Buffer.alloc(0), times: 0, tail: Buffer.alloc(0) }
    const large = archive(250 * mebibyte)
    const send = async (body: Body, purpose: string): Promise<{ id: string; download_url: string }> => {
      const answer = await exchange(agent, `${kith.url}/api/v1/attachments`, form(body, purpose), owner.token)
      const { attachment } = JSON.parse(answer.toString()) as {
        attachment: { id: string; status: string; download_url: string }
      }
      if (attachment.status !== 'ready') throw new Error(answer.toString())
      return attachment
    }
    const sendToFloor = async (body: Body): Promise<string> => (await exchange(agent, floorUrl, body)).toString()
    const readBytes = (url: string, token?: string) => exchange(agent, url, undefined, token)

    const lines: Line[] = []
    const [sent, sentToFloor] = await alternately(
      20,
      () => send(small, 'order'),
      () => sendToFloor(small),
    )
    lines.push(line(`upload of an image of ${kilobytes(image.length)}, inspected, p50`, sent, sentToFloor))
    const atOnce = await perSecond(40, 4, () => send(small, 'order'))
    const floorAtOnce = await perSecond(40, 4, () => sendToFloor(small))
    lines.push({
      measure: 'the same, 4 at once',
      kith: `${atOnce.toFixed(1)}/s`,
      against: `node:http ${floorAtOnce.toFixed(0)}/s`,
      ratio: `${(atOnce / floorAtOnce).toFixed(3)}x`,
    })
    lines.push(...(await inspections(image)))
    const before = await peakMemory(kith.pid)
    const [sentLarge, sentLargeToFloor] = await alternately(
      2,
      () => send(large, 'order'),
      () => sendToFloor(large),
    )
    const speed = (milliseconds: number): string => `${((250 / milliseconds) * 1000).toFixed(0)} MiB/s`
    lines.push({
      measure: `upload of a ZIP of 250 MiB (peak ${before} → ${await peakMemory(kith.pid)} MiB)`,
      kith: speed(sentLarge),
      against: `node:http ${speed(sentLargeToFloor)}`,
      ratio: `${(sentLargeToFloor / sentLarge).toFixed(2)}x`,
    })
    const [card, floorCard] = [await send(small, 'order'), await sendToFloor(small)]
    const [read, readFromFloor] = await alternately(
      200,
      () => readBytes(kith.url + card.download_url, owner.token),
      () => readBytes(`${floorUrl}/${floorCard}`),
    )
    lines.push(line(`download of ${kilobytes(image.length)}, rights checked, p50`, read, readFromFloor))
    const [big, floorBig] = [await send(large, 'order'), await sendToFloor(large)]
    const [readLarge, readLargeFromFloor] = await alternately(
      3,
      () => readBytes(kith.url + big.download_url, owner.token),
      () => readBytes(`${floorUrl}/${floorBig}`),
    )
    lines.push({
      measure: 'download of 250 MiB',
      kith: speed(readLarge),
      against: `node:http ${speed(readLargeFromFloor)}`,
      ratio: `${(readLargeFromFloor / readLarge).toFixed(2)}x`,
    })
    return lines
  } finally {
    agent.destroy()
    await floor.stop()
    await kith.stop()
    await kith.remove()
  }
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`

const line = (measure: string, kith: number, floor: number): Line => ({
  measure,
  kith: `${kith.toFixed(1)} ms`,
  against: `node:http ${floor.toFixed(1)} ms`,
  ratio: `${(kith / floor).toFixed(1)}x`,
})

/** Medians in milliseconds of two things done in turn, so that both meet the same moods of the machine. */
async function alternately(rounds: number, ...things: (() => Promise<unknown>)[]): Promise<[number, number]> {
  const times = things.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, thing] of things.entries()) {
      const began = performance.now()
      await thing()
      times[index]?.push(performance.now() - began)
    }
  }
  return times.map(median) as [number, number]
}

async function perSecond(count: number, parallel: number, thing: () => Promise<unknown>): Promise<number> {
  let left = count
  const began = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await thing()
    }),
  )
  return count / ((performance.now() - began) / 1000)
}

/** A picture with enough in it to cost what photographs cost. */
const photo = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: '#456',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer()

/** A ZIP of `size` bytes with one stored entry. */
function archive(size: number): Body {
  const block = randomBytes(mebibyte)
  const name = Buffer.from('a')
  const overhead = 30 + 46 + 22 + 2 * name.length
  const times = Math.floor((size - overhead) / block.length)
  let sum = 0
  for (let at = 0; at < times; at++) sum = crc32(block, sum)
  const facts = Buffer.alloc(22)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt32LE(sum, 10)
  facts.writeUInt32LE(times * block.length, 14)
  facts.writeUInt32LE(times * block.length, 18)
  const lengths = Buffer.from([name.length, 0, 0, 0])
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, lengths, name])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), facts, lengths, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length + times * block.length, 16)
  return { head: local, block, times, tail: Buffer.concat([central, end]) }
}

function form(body: Body, purpose: string): Body & { type: string } {
  const boundary = 'kith-bench'
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const before = `${field('purpose', purpose)}${field('upload_id', randomUUID())}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n`
  return {
    ...body,
    head: Buffer.concat([Buffer.from(before), body.head]),
    tail: Buffer.concat([body.tail, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

/** One request; keeps at most a mebibyte of the response. */
function exchange(agent: Agent, url: string, body?: Body & { type?: string }, token?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': body.type ?? 'application/octet-stream', 'content-length': lengthOf(body) }),
      },
    })
    sent.on('error', reject)
    sent.on('response', (response: IncomingMessage) => {
      const kept: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        if (length < mebibyte) kept.push(chunk)
        length += chunk.length
      })
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(kept)
        if ((response.statusCode ?? 500) < 300) resolve(bytes)
        else reject(new Error(bytes.toString()))
      })
    })
    if (!body) return void sent.end()
    sent.write(body.head)
    let left = body.times
    const more = (): void => {
      while (left > 0) {
        left--
        if (!sent.write(body.block)) return void sent.once('drain', more)
      }
      sent.end(body.tail)
    }
    more()
  })
}

/** The most memory that a process had resident so far, in MiB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
