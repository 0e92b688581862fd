// An archive in a bucket of an S3-compatible service, below an optional prefix.
import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { minutes, seconds } from '../kernel/clock.ts'
import type { S3 } from '../kernel/s3-url.ts'
import { connect, pages, told } from '../storage/s3-client.ts'
import { type Content, Occupied, type Place } from './place.ts'

const partSize = 8 * 1024 * 1024

export function openBucket({ bucket, prefix, ...settings }: S3): Place {
  const client = connect(settings, { maxSockets: 8, answersWithin: minutes(2), silence: seconds(30) })
  const objectOf = (key: string) => ({ Bucket: bucket, Key: prefix + key })

  async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked
    } catch (error) {
      const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
      if (name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404) return undefined
      throw told(error)
    }
  }
  const open = async (key: string): Promise<Readable | undefined> =>
    (await orNone(client.send(new GetObjectCommand(objectOf(key)))))?.Body as Readable | undefined
  const get = async (key: string): Promise<Buffer | undefined> => {
    const body = await open(key)
    return body && buffer(body)
  }
  async function write(key: string, content: Content): Promise<void> {
    const object = { ...objectOf(key), ContentType: 'application/octet-stream' }
    if (Buffer.isBuffer(content)) return void (await client.send(new PutObjectCommand({ ...object, Body: content })))
    const Body = createReadStream(content.path, { highWaterMark: 1024 * 1024 })
    try {
      await new Upload({ client, params: { ...object, Body }, partSize, queueSize: 2 }).done()
    } finally {
      Body.destroy()
    }
  }

  return {
    name: `s3://${bucket}/${prefix}`,
    async put(key, content) {
      // Not every service knows a condition on a put. One database writes here, so nobody comes between.
      if (await orNone(client.send(new HeadObjectCommand(objectOf(key))))) {
        // A file of an archive never changes under its name; what may differ comes as bytes.
        if (!Buffer.isBuffer(content) || (await get(key))?.equals(content)) return
        throw new Occupied(key)
      }
      await write(key, content).catch((error) => {
        throw told(error)
      })
    },
    get,
    async fetch(key, path) {
      const body = await open(key)
      if (!body) throw new Error(`the archive has no ${key}`)
      await pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    },
    async *list(below) {
      for await (const { Key = '', Size = 0, LastModified } of pages(client, {
        Bucket: bucket,
        Prefix: prefix + below,
      })) {
        yield { key: Key.slice(prefix.length), bytes: Size, modified: LastModified as Date }
      }
    },
    async remove(key) {
      await orNone(client.send(new DeleteObjectCommand(objectOf(key))))
    },
    close: () => client.destroy(),
  }
}
