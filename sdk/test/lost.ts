// A network that eats answers, a program that is killed around a request, and one that is started again.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type FolderClient, openIdentity, type Runtime, systemRuntime } from '../src/node.ts'

/** The network eats the first answers to these requests, after the service has acted; it notes the bodies. */
export function losing(route: RegExp, times: number): Runtime & { bodies: string[] } {
  const bodies: string[] = []
  return {
    ...systemRuntime,
    bodies,
    sleep: (ms, signal) => systemRuntime.sleep(Math.min(ms, 20), signal),
    fetch: async (...args) => {
      const response = await systemRuntime.fetch(...args)
      if (!route.test(`${args[1]?.method} ${args[0]}`) || bodies.push(String(args[1]?.body)) > times) return response
      throw new TypeError('the answer was lost')
    },
  }
}

/** An identity whose changes all arrive, and whose answers to them never do. */
export const unlucky = (folder: string): Promise<FolderClient> =>
  openIdentity(folder, { runtime: losing(/^(?!GET )/, Number.POSITIVE_INFINITY), retry: { attempts: 1 } })

/** A run of the program that is killed around its request. */
export async function killed(
  folder: string,
  when: 'before' | 'after',
  route: string,
  step: string,
  ...words: unknown[]
): Promise<void> {
  const child = fileURLToPath(new URL('kill-child.ts', import.meta.url))
  const args = ['--conditions=source', child, folder, when, route, step, JSON.stringify(words)]
  const run = spawn(process.execPath, args, { stdio: 'inherit' })
  assert.equal(await new Promise((resolve) => run.on('close', (_, how) => resolve(how))), 'SIGKILL')
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
