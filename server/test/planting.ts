// Faults planted in the database, each in a transaction of its own, and what the verification says of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walks } from '../src/app/modules.ts'
import type { Query } from '../src/store/sql.ts'
import { type Findings, verify } from '../src/verify/verify.ts'
import type { Plants } from './planted.ts'
import type { World } from './world.ts'

class Undone extends Error {}

/** What a verification finds once something is planted, which is then undone. */
export async function findingsOf(w: World, plant: (tx: Query) => Promise<unknown>): Promise<Findings> {
  let findings: Findings | undefined
  const undone = w.sql.transaction(async (tx) => {
    await plant(tx)
    findings = await verify(tx, walks)
    throw new Undone()
  })
  await assert.rejects(undone, Undone)
  return findings as Findings
}

/** The same in words: each check with the name of what it is about, in order. */
export async function foundIn(
  w: World,
  nameOf: (id: string | null) => string,
  plant: (tx: Query) => Promise<unknown>,
): Promise<string[]> {
  const { examples } = await findingsOf(w, plant)
  return examples.map(({ check, id }) => `${check} ${nameOf(id)}`).sort()
}

/** Tests that nothing is wrong without them, that each is found, and that every check of these has found one. */
export function testPlants(
  w: World,
  nameOf: (id: string | null) => string,
  plants: Plants,
  of: readonly { checks: Readonly<Record<string, string>> }[],
): void {
  test('a sound database has no findings', async () => assert.deepEqual(await foundIn(w, nameOf, async () => {}), []))

  for (const [name, [plant, expected]] of Object.entries(plants)) {
    test(`${name} is found`, async () => assert.deepEqual(await foundIn(w, nameOf, plant), expected))
  }

  test('every check has found an error', () => {
    const named = new Set(Object.values(plants).flatMap(([, expected]) => expected.map((each) => each.split(' ')[0])))
    const checks = of.flatMap((walk) => Object.keys(walk.checks))
    assert.deepEqual(
      checks.filter((each) => !named.has(each)),
      [],
    )
  })
}
