// Reads of the checker: while all is quiet each has an answer.
import type { Actor } from './ledger.ts'
import type { Random } from './random.ts'
import { violated } from './violation.ts'
import type { World } from './world.ts'

const mostAttempts = 20

/** The body of an answer. */
export async function read(world: World, random: Random, actor: Actor, path: string) {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const reply = await world.read(actor, path, random)
    if (reply) return reply.body
  }
  return violated('a read has no answer while all is quiet', path)
}

/** All of a list that goes on `before` an entry, newest first. */
export async function readAll<T>(
  world: World,
  random: Random,
  actor: Actor,
  path: string,
  entriesOf: (body: Awaited<ReturnType<typeof read>>) => readonly T[],
): Promise<T[]> {
  const found: T[] = []
  for (let before = ''; ; ) {
    const body = await read(world, random, actor, `${path}${before}`)
    found.push(...entriesOf(body))
    if (body.next_before === null) return found
    before = `${path.includes('?') ? '&' : '?'}before=${body.next_before}`
  }
}

/** All of a list that is read by the numbers of its pages. */
export async function readNumbered(world: World, random: Random, actor: Actor, path: string, field: string) {
  const found = []
  for (let page = 1; ; page++) {
    const body = await read(world, random, actor, `${path}${path.includes('?') ? '&' : '?'}page=${page}&page_size=50`)
    found.push(...body[field])
    if (found.length >= body.pagination.total || body[field].length === 0) return found
  }
}
