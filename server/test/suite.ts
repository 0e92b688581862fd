// A test file as a suite of a group, with what it does before and after its tests.
import { AsyncResource } from 'node:async_hooks'
import { after, describe } from 'node:test'

let last: Promise<unknown> = Promise.resolve()

/** One is loaded after the other: what is loaded while another is would be taken for a part of that. */
export function suite(name: string, url: string): void {
  describe(name, () => {
    // What a suite consists of is told by where its calls come from.
    const here = new AsyncResource('suite')
    const loaded = last.then(() => here.runInAsyncScope(() => import(url)))
    last = loaded.catch(() => {})
    return loaded
  })
}

/** How long after its last test a process may take to close what it opened. */
const closesWithin = 60_000

/** Comes behind all suites of a process. Ends it with a failure if something keeps it running once they are through. */
export function suitesEnd(within = closesWithin): void {
  const end = (): never => {
    console.error(`the tests are through, but the process does not end: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }
  describe('the process ends', () => after(() => void setTimeout(end, within).unref()))
}
