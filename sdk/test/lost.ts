// A network that eats answers, and a program that is started again.
import assert from 'node:assert/strict'
import { type FolderClient, openIdentity, systemRuntime } from '../src/node.ts'

/** An identity whose changes all arrive, and whose answers to them never do. */
export function unlucky(folder: string): Promise<FolderClient> {
  const runtime = {
    ...systemRuntime,
    fetch: async (...args: Parameters<typeof fetch>) => {
      const response = await systemRuntime.fetch(...args)
      if (args[1]?.method === 'GET') return response
      throw new TypeError('the answer was lost')
    },
  }
  return openIdentity(folder, { runtime, retry: { attempts: 1 } })
}

/** Does it with a network that eats the answer to every change; the next run of the program learns the result. */
export async function lost<T>(folder: string, act: (client: FolderClient) => Promise<unknown>): Promise<T> {
  await assert.rejects(act(await unlucky(folder)), { name: 'KithNetworkError' })
  const next = await openIdentity(folder)
  const outcomes = await next.resumePending()
  assert.equal(outcomes.length, 1, 'one change was open')
  const [{ answer, refusal }] = outcomes as [(typeof outcomes)[number]]
  assert.equal(refusal, undefined)
  assert.deepEqual(await next.pending(), [])
  return answer!.body as T
}

export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of list) found.push(each)
  return found
}
