// An S3 service for tests: OpenStack Swift, where Debian's python3-swift is installed, or the one of KITH_TEST_S3_URL,
// a STORAGE_URL with a bucket that is there.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { lacks } from './programs.ts'

const python = '/usr/bin/python3'
const given = process.env['KITH_TEST_S3_URL']

/** Why there is no service for the tests, or false. */
export const noSwift: string | false = lacks(
  'Swift',
  given !== undefined || spawnSync(python, ['-Ic', 'import swift']).status === 0,
)

export interface Swift {
  /** A STORAGE_URL below which nothing is yet. */
  url(): string
  stop(): Promise<void>
}

export async function startSwift(): Promise<Swift> {
  const url = (base: string) => () => {
    const fresh = new URL(base)
    fresh.pathname = `${fresh.pathname.replace(/\/$/, '')}/test-${randomBytes(6).toString('hex')}`
    return fresh.href
  }
  if (given !== undefined) return { url: url(given), stop: async () => {} }

  const secret = randomBytes(16).toString('base64')
  // It ends when its input does: also when this process is killed.
  const child = spawn(python, ['-IB', fileURLToPath(new URL('swift.py', import.meta.url)), secret], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('Swift did not start'))),
  ])
  const { port } = JSON.parse(line) as { port: number }
  const endpoint = `http://127.0.0.1:${port}`
  const accessKeyId = 'kith:storage'
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey: secret },
  })
  await client.send(new CreateBucketCommand({ Bucket: 'kith' }))
  client.destroy()
  return {
    url: url(`s3://${encodeURIComponent(accessKeyId)}:${encodeURIComponent(secret)}@kith?endpoint=${endpoint}`),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
