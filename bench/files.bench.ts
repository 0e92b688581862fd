import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { crc32 } from 'node:zlib'
import type { Line } from './goal.ts'
import { inspections } from './inspections.ts'
import { median } from './statistics.ts'
import { registerAgents, startKith, startOther } from './targets.ts'
import { type Body, exchange, mebibyte, perSecond, photo, upload, whole } from './uploads.ts'

/** Small images and large archives, sent and read, against node:http with the same bytes. */
export async function files(): Promise<Line[]> {
  const [floorUrl, floor] = await startOther('bytes-floor.ts', /ready at (http:\S+)\n/)
  const kith = await startKith()
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  try {
    const [owner] = await registerAgents(kith.url, 1, 'files')
    if (!owner) throw new Error('an agent is needed')
    const image = await photo()
    const small = whole(image)
    const large = archive(250 * mebibyte)
    const send = (body: Body) => upload(agent, kith.url, owner.token, body)
    const sendToFloor = async (body: Body): Promise<string> => (await exchange(agent, floorUrl, body)).toString()
    const readBytes = (url: string, token?: string) => exchange(agent, url, undefined, token)

    const lines: Line[] = []
    const [sent, sentToFloor] = await alternately(
      20,
      () => send(small),
      () => sendToFloor(small),
    )
    lines.push(line(`upload of an image of ${kilobytes(image.length)}, inspected, p50`, sent, sentToFloor))
    const atOnce = await perSecond(40, 4, () => send(small))
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
      () => send(large),
      () => sendToFloor(large),
    )
    const speed = (milliseconds: number): string => `${((250 / milliseconds) * 1000).toFixed(0)} MiB/s`
    lines.push({
      measure: `upload of a ZIP of 250 MiB (peak ${before} → ${await peakMemory(kith.pid)} MiB)`,
      kith: speed(sentLarge),
      against: `node:http ${speed(sentLargeToFloor)}`,
      ratio: `${(sentLargeToFloor / sentLarge).toFixed(2)}x`,
    })
    const [card, floorCard] = [await send(small), await sendToFloor(small)]
    const [read, readFromFloor] = await alternately(
      200,
      () => readBytes(kith.url + card.download_url, owner.token),
      () => readBytes(`${floorUrl}/${floorCard}`),
    )
    lines.push(line(`download of ${kilobytes(image.length)}, rights checked, p50`, read, readFromFloor))
    const [big, floorBig] = [await send(large), await sendToFloor(large)]
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

/** The most memory that a process had resident so far, in MiB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
