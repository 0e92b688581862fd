// An archive in a bucket of an S3-compatible service, below an optional prefix.
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { minutes, seconds } from '../kernel/clock.ts'
import type { S3 } from '../kernel/s3-url.ts'
import { connect, pages, rethrow, sendFile, told } from '../storage/s3-client.ts'
import { type Content, Occupied, type Place } from './place.ts'

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
    if (!Buffer.isBuffer(content)) return sendFile(client, objectOf(key), content.path)
    const object = { ...objectOf(key), ContentType: 'application/octet-stream', Body: content }
    await client.send(new PutObjectCommand(object)).catch(rethrow)
  }

  return {
    name: `s3://${bucket}/${prefix}`,
    async put(key, content) {
      // Not every service knows a condition on a put. One database writes here, so nobody comes between.
      const there = await orNone(client.send(new HeadObjectCommand(objectOf(key))))
      if (there && Buffer.isBuffer(content)) {
        if ((await get(key))?.equals(content)) return
        throw new Occupied(key)
      }
      // A file of an archive never changes under its name; what may differ comes as bytes. One that lacks some is sent again.
      if (there && !Buffer.isBuffer(content) && there.ContentLength === (await stat(content.path)).size) return
      await write(key, content)
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
    // A bucket shows nothing before it is whole.
    tidy: async () => {},
    close: () => client.destroy(),
  }
}
