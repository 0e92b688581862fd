// A story that the tests of a file tell: `const { w, ann, bob } = story('ann', 'bob')` begins a world before the first test,
// with these agents in it, and closes it after the last one.
import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { after, before } from 'node:test'
import { type Agent, befriend, type World, type WorldOptions, world } from './world.ts'

interface Cast<Friend extends string, Staff extends string> extends WorldOptions {
  /** Agents who are contacts of each other. */
  friends?: readonly Friend[]
  /** Agents with every role of staff. */
  staff?: readonly Staff[]
}

type Story<Name extends string> = { w: World } & { [name in Name]: Agent }

/** Friends are registered first, then the agents by their names, then staff. */
export function story<Friend extends string = never, Staff extends string = never>(
  cast: Cast<Friend, Staff>,
): Story<Friend | Staff>
export function story<Name extends string = never>(...names: Name[]): Story<Name>
export function story<Name extends string, Friend extends string = never, Staff extends string = never>(
  ...words: [...Name[], Cast<Friend, Staff>]
): Story<Name | Friend | Staff>
export function story(...words: (string | Cast<string, string>)[]): Story<string> {
  const names = words.filter((word) => typeof word === 'string')
  const { friends = [], staff = [], ...options } = words.find((word) => typeof word !== 'string') ?? {}
  const w = beforehand(async () => {
    const made = await world(options)
    return Object.assign(made, { [Symbol.asyncDispose]: made.close })
  })
  const agents = [...friends, ...names].map((name) => [name, beforehand(() => w.agent(name))] as const)
  const appointed = staff.map((name) => [name, beforehand(() => w.staff(name))] as const)
  const cast = Object.fromEntries([...agents, ...appointed])
  for (const [at, one] of friends.entries()) {
    for (const two of friends.slice(at + 1)) beforehand(() => befriend(cast[one] as Agent, cast[two] as Agent))
  }
  return Object.assign(cast, { w }) as Story<string>
}

let last: Promise<unknown> = Promise.resolve()
const ends: AsyncDisposable[] = []

/**
 * Does something before the tests of a file, after everything that the file named before it. What it makes has its name at once,
 * can be used from then on, and is disposed of after the tests, the last first. (`before` of node:test would not wait for it.)
 */
export function beforehand<Made>(make: () => Promise<Made> | Made): Made extends object ? Made : undefined {
  let made: Made | undefined
  // What a failed assertion shows of the proxy.
  const shown = {}
  const here = new AsyncResource('beforehand')
  before(() => {
    last = last
      .catch(() => {})
      .then(() => make())
      .then((value) => {
        made = value
        Object.assign(shown, value)
        if (!isDisposable(value)) return
        // Registered as late as this, it comes after the file's own `after`.
        if (ends.length === 0) here.runInAsyncScope(() => after(undo))
        ends.push(value)
      })
    return last
  })
  return later(shown, () => made) as Made extends object ? Made : undefined
}

const isDisposable = (value: unknown): value is AsyncDisposable =>
  value instanceof Object && Symbol.asyncDispose in value

async function undo(): Promise<void> {
  try {
    await ends.pop()?.[Symbol.asyncDispose]()
  } finally {
    if (ends.length > 0) await undo()
  }
}

/** An object that has its name before it exists. */
function later(shown: object, made: () => unknown): object {
  const real = (): object => {
    const value = made()
    assert.ok(value instanceof Object, 'it is used before the tests begin')
    return value
  }
  return new Proxy(shown, {
    get(_, key) {
      const value = Reflect.get(real(), key)
      // A method of a class wants the object itself.
      const isMethod = typeof value === 'function' && key !== 'constructor' && !Object.hasOwn(real(), key)
      return isMethod ? value.bind(real()) : value
    },
    set: (_, key, value) => Reflect.set(real(), key, value),
    has: (_, key) => Reflect.has(real(), key),
    ownKeys: () => Reflect.ownKeys(real()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(real(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  })
}
