// Files as clients send and read them, for Kith and for its floor.
import { randomUUID } from 'node:crypto'
import { type Agent, type IncomingMessage, request } from 'node:http'
import sharp from 'sharp'

export const mebibyte = 1024 ** 2

/** What only the sides of an order see, and what everyone does. */
export type Purpose = 'order' | 'portfolio'

/** Bytes that are sent and read: the file itself, repeated `times`, between a head and a tail. */
export interface Body {
  head: Buffer
  block: Buffer
  times: number
  tail: Buffer
}

/** One that is held in memory. */
export const whole = (bytes: Buffer): Body => ({ head: bytes, block: Buffer.alloc(0), times: 0, tail: Buffer.alloc(0) })

const lengthOf = ({ head, block, times, tail }: Body): number => head.length + block.length * times + tail.length

/** Uploads a file that nothing holds yet; it is inspected and ready. */
export async function upload(
  agent: Agent,
  url: string,
  token: string,
  body: Body,
  purpose: Purpose = 'order',
): Promise<{ id: string; download_url: string }> {
  const answer = await exchange(agent, `${url}/api/v1/attachments`, form(body, purpose), token)
  const { attachment } = JSON.parse(answer.toString()) as {
    attachment: { id: string; status: string; download_url: string }
  }
  if (attachment.status !== 'ready') throw new Error(answer.toString())
  return attachment
}

/** How often something is done in a second, `parallel` at a time. */
export async function perSecond(count: number, parallel: number, thing: () => Promise<unknown>): Promise<number> {
  let left = count
  const began = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) await thing()
    }),
  )
  return count / ((performance.now() - began) / 1000)
}

/** A picture with enough in it to cost what photographs cost: some 220 KiB unless it is wider. */
export const photo = (width = 800): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height: width * 0.75,
      channels: 3,
      background: '#456',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer()

function form(body: Body, purpose: Purpose): Body & { type: string } {
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
export function exchange(agent: Agent, url: string, body?: Body & { type?: string }, token?: string): Promise<Buffer> {
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
