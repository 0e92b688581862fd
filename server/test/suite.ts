// A test file as a suite of a group, with what it does before and after its tests.
import { AsyncResource, createHook } from 'node:async_hooks'
import { after, before, describe } from 'node:test'

/**
 * How node:test learns where a test is defined: it follows every promise of the process, which takes a sixth of the processor's
 * time. Once all tests are defined, nothing needs that but the name of the test in the report of a stray error.
 */
const tracing = hookEnabledBy(() => before(() => {}))

let last: Promise<unknown> = Promise.resolve()
let running = ''

/** One is loaded after the other: what is loaded while another is would be taken for a part of that. */
export function suite(name: string, url: string): void {
  describe(name, () => {
    before(async () => {
      running = name
      await last
      tracing?.disable()
    })
    // What a suite consists of is told by where its calls come from.
    const here = new AsyncResource('suite')
    const loaded = last.then(() => here.runInAsyncScope(() => import(url)))
    last = loaded.catch(() => {})
    return loaded
  })
}

/** Runs what makes node:test begin, and returns the hook that it enables; undefined if it has begun, or needs none. */
function hookEnabledBy(begin: () => void): { disable(): unknown } | undefined {
  const prototype = Object.getPrototypeOf(createHook({}))
  const { enable } = prototype
  let found: { disable(): unknown } | undefined
  prototype.enable = function (this: { disable(): unknown }) {
    found = this
    return enable.call(this)
  }
  try {
    begin()
  } finally {
    prototype.enable = enable
  }
  return found
}

// node:test fails the run because of a stray error, and says no more than its message.
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.prependListener(event, (error: unknown) => console.error(`${event} in ${running}:`, error))
}

/** How long after its last test a process may take to close what it opened. */
const closesWithin = 240_000

/** Comes behind all suites of a process. Ends it with a failure if something keeps it running once they are through. */
export function suitesEnd(within = closesWithin): void {
  const end = (): void => {
    console.error(`the tests are through, but the process does not end: ${process.getActiveResourcesInfo().join(', ')}`)
    // An orderly exit would wait for a thread that hangs.
    process.kill(process.pid, 'SIGKILL')
  }
  describe('the process ends', () => after(() => void setTimeout(end, within).unref()))
}
