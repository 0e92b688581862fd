// A test file as a suite of a group, with what it does before and after its tests.
import { AsyncResource } from 'node:async_hooks'
import { describe } from 'node:test'

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
