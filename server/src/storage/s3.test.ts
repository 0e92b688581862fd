// What is particular to an S3 service: it may be away, refuse, or break off; and what nobody sees costs too.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { noSwift, type Swift, startSwift } from '../../test/swift.ts'
import { readConfig } from '../config.ts'
import { newId } from '../kernel/clock.ts'
import type { S3 } from '../kernel/s3-url.ts'
import type { Metrics } from '../metrics.ts'
import { observed } from './observed.ts'
import { openS3Storage, type S3Options } from './s3.ts'
import { told, withoutStalls } from './s3-client.ts'
import { isFull, type Storage, StorageFailed } from './storage.ts'

const skip = noSwift
let base: string
let swift: Swift
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'kith-s3-'))
  if (!skip) swift = await startSwift()
})
after(async () => {
  await swift?.stop()
  await rm(base, { recursive: true, force: true })
})

const settingsOf = (url: string): S3 => readConfig({ STORAGE_URL: url }).storage as S3 & { kind: 's3' }
const key = (): string => `${newId(new Date('2026-03-01T10:00:00Z'))}/original`
const large = randomBytes(20 * 1024 * 1024)
/** Whatever a busy machine takes. */
const longEnough = 240_000

async function withStorage(
  settings: S3,
  work: (storage: Storage) => Promise<void>,
  options: Omit<S3Options, 'incoming'> = {},
): Promise<void> {
  const storage = await openS3Storage(settings, {
    incoming: join(base, randomUUID()),
    checkedWithin: longEnough,
    ...options,
  })
  try {
    await work(storage)
  } finally {
    await storage.close()
  }
}

async function incoming(storage: Storage, bytes: Buffer): Promise<string> {
  const path = join(storage.incoming, randomUUID())
  await writeFile(path, bytes)
  return path
}

/** The service as one meets it without this project. */
function plain({ endpoint, region, accessKeyId, secretAccessKey }: S3): S3Client {
  const credentials = { accessKeyId, secretAccessKey }
  return new S3Client({ endpoint: endpoint as string, region, forcePathStyle: true, credentials })
}

async function uploads(settings: S3): Promise<string[]> {
  const client = plain(settings)
  const { Uploads = [] } = await client.send(
    new ListMultipartUploadsCommand({ Bucket: settings.bucket, Prefix: settings.prefix }),
  )
  client.destroy()
  return Uploads.map(({ Key }) => Key as string)
}

test('a list spans many pages, and skips what is not an object', { skip }, async () => {
  const settings = settingsOf(swift.url())
  await withStorage(
    settings,
    async (storage) => {
      const keys = Array.from({ length: 7 }, key)
      for (const each of keys) await storage.put(each, await incoming(storage, randomBytes(10)))
      const client = plain(settings)
      const alien = { Bucket: settings.bucket, Key: `${settings.prefix}readme`, Body: 'x' }
      await client.send(new PutObjectCommand(alien))
      client.destroy()
      await storage.check()
      const listed = async (after?: string) => (await Array.fromAsync(storage.list(after))).map((each) => each.key)
      assert.deepEqual(await listed(), keys)
      assert.deepEqual(await listed(keys[2]?.slice(0, 36)), keys.slice(3))
    },
    { pageSize: 2 },
  )
})

test('parts of a killed process are deleted after their time', { skip }, async () => {
  const settings = settingsOf(swift.url())
  const client = plain(settings)
  const names = [key(), key(), key()].map((each) => settings.prefix + each)
  for (const Key of names) {
    const object = { Bucket: settings.bucket, Key }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
    await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: randomBytes(1000) }))
  }
  client.destroy()
  await withStorage(settings, async (storage) => {
    await storage.check()
    assert.deepEqual(await Array.fromAsync(storage.list()), [], 'they are no objects')
  })
  assert.deepEqual(await uploads(settings), names, 'the young ones may be those of another node')
  await withStorage(
    settings,
    async () => {
      // Longer than anything takes on a machine whose cores are all busy.
      const deadline = performance.now() + 240_000
      while ((await uploads(settings)).length > 0 && performance.now() < deadline) await sleep(50)
    },
    // Services round the moment of a beginning to the next second.
    { abandonedAfter: -5000, pageSize: 2 },
  )
  assert.deepEqual(await uploads(settings), [])
})

/** Between the storage and its service; `meddle` answers in its place, or cuts its answer, and then returns true. */
async function between(
  { endpoint }: S3,
  meddle: (asked: IncomingMessage, answer: ServerResponse) => boolean,
): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const server = createServer((asked, answer) => {
    if (meddle(asked, answer)) return
    const { method, url, headers } = asked
    const passed = request(new URL(url as string, endpoint), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode as number, answered.headers)
      answered.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a put that fails midway leaves no parts, and can be repeated', { skip }, async () => {
  const settings = settingsOf(swift.url())
  let broken = true
  let refused = 0
  const proxy = await between(settings, (asked, answer) => {
    if (!broken || !/[?&]partNumber=2\b/.test(asked.url as string)) return false
    refused += 1
    asked.resume().on('end', () => answer.writeHead(503).end())
    return true
  })
  // The service signs for the host that it is called by.
  await withStorage({ ...settings, endpoint: proxy.endpoint }, async (storage) => {
    const path = await incoming(storage, large)
    const name = key()
    await assert.rejects(storage.put(name, path), /^Error: S3 failed: \w+ 503$/)
    assert.equal(refused, 3, 'tried again, and not for ever')
    assert.deepEqual(await uploads(settings), [])
    assert.deepEqual(await Array.fromAsync(storage.list()), [])
    assert.ok(existsSync(path), 'the file is still there')
    broken = false
    await storage.put(name, path)
    assert.ok(large.equals(await buffer(await storage.open(name))))
  })
  await proxy.stop()
})

test('a put that the service did not take whole is refused, and can be repeated', { skip }, async () => {
  const settings = settingsOf(swift.url())
  const file = large.subarray(0, 9 * 1024 * 1024)
  const isPart = ({ url }: IncomingMessage): boolean => /[?&]partNumber=2\b/.test(url as string)
  const etag = { etag: '"0123456789abcdef0123456789abcdef"' }
  const faults: Record<string, [RegExp, (asked: IncomingMessage, answer: ServerResponse) => boolean]> = {
    'a part that was lost': [
      /^Error: S3 failed: InvalidPart 400$/,
      (asked, answer) => {
        if (!isPart(asked)) return false
        asked.resume().on('end', () => answer.writeHead(200, etag).end())
        return true
      },
    ],
    'fewer bytes than were sent': [
      /^Error: S3 has 17 bytes of 9437184$/,
      (asked, answer) => {
        if (asked.method !== 'HEAD') return false
        answer.writeHead(200, { 'content-length': 17, ...etag }).end()
        return true
      },
    ],
    'no right to write': [
      /^Error: S3 failed: AccessDenied 403$/,
      (asked, answer) => {
        if (asked.method !== 'PUT' && asked.method !== 'POST') return false
        asked.resume().on('end', () => answer.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'))
        return true
      },
    ],
  }
  let fault: (asked: IncomingMessage, answer: ServerResponse) => boolean = () => false
  const proxy = await between(settings, (asked, answer) => fault(asked, answer))
  await withStorage({ ...settings, endpoint: proxy.endpoint }, async (storage) => {
    for (const [what, [told, meddle]] of Object.entries(faults)) {
      const [path, name] = [await incoming(storage, file), key()]
      fault = meddle
      await assert.rejects(storage.put(name, path), told, what)
      assert.ok(existsSync(path), `${what}: the file is still there`)
      assert.deepEqual(await uploads(settings), [], what)
      fault = () => false
      await storage.put(name, path)
      assert.ok(file.equals(await buffer(await storage.open(name))), what)
    }
  })
  await proxy.stop()
})

test('a service that never answers a put is given up in a bounded time, whatever its attempts', async () => {
  const silent = await between({ endpoint: 'http://127.0.0.1:9' } as S3, () => true)
  const settings = settingsOf(`s3://KEY:SECRET@bucket?endpoint=${silent.endpoint}`)
  await withStorage(
    settings,
    async (storage) => {
      const path = await incoming(storage, randomBytes(10))
      await assert.rejects(storage.put(key(), path), /^Error: S3 failed: no answer in time$/)
      assert.ok(existsSync(path))
    },
    { patience: 100 },
  )
  await silent.stop()
})

test('a service whose clock is another one is asked with its time', async () => {
  const ahead = () => new Date(Date.now() + 3_600_000)
  let refused = 0
  const skewed = await between({ endpoint: 'http://127.0.0.1:9' } as S3, (asked, answer) => {
    answer.sendDate = false
    const [date, time] = String(asked.headers['x-amz-date']).split('T') as [string, string]
    const signed = Date.parse(
      `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}Z`,
    )
    const isLate = ahead().getTime() - signed > 900_000
    if (isLate) refused += 1
    const body = isLate ? '<Error><Code>RequestTimeTooSkewed</Code></Error>' : ''
    asked.resume().on('end', () => answer.writeHead(isLate ? 403 : 200, { date: ahead().toUTCString() }).end(body))
    return true
  })
  const settings = settingsOf(`s3://KEY:SECRET@bucket?endpoint=${skewed.endpoint}`)
  await withStorage(settings, async (storage) => {
    await storage.check()
    await storage.check()
  })
  assert.ok(refused > 0)
  await skewed.stop()
})

test('a check tells of a key that may not write, and of one that may not read', { skip }, async () => {
  const settings = settingsOf(swift.url())
  let refused: string | undefined
  const proxy = await between(settings, (asked, answer) => {
    if (asked.method !== refused) return false
    asked.resume().on('end', () => answer.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'))
    return true
  })
  await withStorage({ ...settings, endpoint: proxy.endpoint }, async (storage) => {
    const denied = /^Error: S3 failed: AccessDenied 403$/
    refused = 'PUT'
    await assert.rejects(storage.check(), denied)
    refused = undefined
    await storage.check()
    refused = 'GET'
    await assert.rejects(storage.check(), denied)
    refused = undefined
    await storage.check()
  })
  await proxy.stop()
})

test('a reader notices that the service broke off', { skip }, async () => {
  const settings = settingsOf(swift.url())
  const proxy = await between(settings, (asked, answer) => {
    if (asked.method !== 'GET' || !/original/.test(asked.url as string)) return false
    answer.writeHead(200, { 'content-length': 1000 })
    answer.write(Buffer.alloc(500), () => answer.destroy())
    return true
  })
  await withStorage({ ...settings, endpoint: proxy.endpoint }, async (storage) => {
    const name = key()
    await storage.put(name, await incoming(storage, randomBytes(1000)))
    await assert.rejects(async () => buffer(await storage.open(name)))
    await assert.rejects(storage.open(name, { start: 0, end: 1 }), /answered a range with the whole/)
  })
  await proxy.stop()
})

test('a service that stalls in the middle of an object is given up, and counted', async (t) => {
  const stalled = await between({ endpoint: 'http://127.0.0.1:9' } as S3, (_, answer) => {
    answer.writeHead(200, { 'content-length': 1000 }).write(Buffer.alloc(500))
    return true
  })
  t.after(() => stalled.stop())
  const settings = settingsOf(`s3://KEY:SECRET@bucket?endpoint=${stalled.endpoint}`)
  await withStorage(
    settings,
    async (storage) => {
      const counted: unknown[] = []
      const metrics = {
        storageSeconds: { startTimer: () => () => {} },
        storageFailures: { inc: counted.push.bind(counted) },
      }
      const body = await observed(storage, metrics as unknown as Metrics).open(key())
      await assert.rejects(buffer(body), /^Error: the storage failed: read: S3 failed: no byte for 0.1 s$/)
      assert.deepEqual(counted, [{ operation: 'read' }])
    },
    { stalledAfter: 100 },
  )
})

test('a receiver that takes nothing for an hour is no stall', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const body = new PassThrough()
  const bytes = withoutStalls(body, 1000)
  body.write(Buffer.alloc(100_000))
  t.mock.timers.tick(3_600_000)
  const reading = bytes[Symbol.asyncIterator]()
  let size = 0
  while (size < 100_000) size += (await reading.next()).value.length
  const last = reading.next()
  t.mock.timers.tick(999)
  body.write('x')
  assert.equal(String((await last).value), 'x')
  const never = reading.next()
  t.mock.timers.tick(1000)
  await assert.rejects(never, /no byte for 1 s$/)
  assert.ok(body.destroyed)
})

test('a receiver that is slow to take the last bytes gets them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const body = new PassThrough()
  const bytes = withoutStalls(body, 1000)
  const reading = bytes[Symbol.asyncIterator]()
  body.write('first')
  assert.equal(String((await reading.next()).value), 'first')
  body.end('last')
  await once(body, 'end')
  t.mock.timers.tick(3_600_000)
  assert.equal(String((await reading.next()).value), 'last')
  assert.ok((await reading.next()).done)
})

test('an absent or refusing service blocks no start, and no error contains the keys', { skip }, async () => {
  const settings = settingsOf(swift.url())
  const secretAccessKey = 'a distinctive secret'
  const nowhere = await between(settings, () => false)
  await nowhere.stop()
  const cases: [S3, RegExp][] = [
    [{ ...settings, secretAccessKey }, /S3 failed: SignatureDoesNotMatch 403/],
    [{ ...settings, accessKeyId: 'kith:nobody', secretAccessKey }, /S3 failed: \w+ 403/],
    [{ ...settings, bucket: 'none' }, /S3 failed: NoSuchBucket 404/],
    [{ ...settings, endpoint: nowhere.endpoint }, /S3 failed: .*ECONNREFUSED/],
  ]
  for (const [wrong, expected] of cases) {
    await withStorage(wrong, async (storage) => {
      const path = await incoming(storage, randomBytes(10))
      const name = key()
      const attempts = [
        () => storage.check(),
        () => storage.put(name, path),
        () => storage.open(name),
        () => storage.remove(name.slice(0, 36)),
        () => Array.fromAsync(storage.list()),
      ]
      for (const attempt of attempts) {
        const error = await attempt().then(
          () => assert.fail('nothing failed'),
          (reason: unknown) => reason,
        )
        const text = inspect(error, { depth: 10, showHidden: true })
        assert.match(text, expected)
        for (const secret of [wrong.secretAccessKey, wrong.accessKeyId, 'Signature=', 'Credential=']) {
          assert.ok(!text.includes(secret), text)
        }
      }
      assert.ok(existsSync(path))
    })
  }
})

test('a service that is full is told from one that is away', () => {
  const failed = (name: string, httpStatusCode: number): boolean =>
    isFull(new StorageFailed('put', told(Object.assign(new Error('a body'), { name, $metadata: { httpStatusCode } }))))
  assert.deepEqual(
    [failed('InsufficientStorage', 507), failed('XMinioStorageFull', 507), failed('ServiceUnavailable', 503)],
    [true, true, false],
  )
})
