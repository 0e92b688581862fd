// The command before the tests of a file, and what it registered.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FolderClient, openIdentity } from '@kith/sdk/node'
import { beforehand } from '../../server/test/story.ts'
import type { World } from '../../server/test/world.ts'
import { kith, proxy } from './kith.ts'

/** The command, and a proxy through which it registers agents of these names, each with a profile of the same name. */
export function command<Name extends string = never>(w: World, ...names: Name[]) {
  const cli = beforehand(kith)
  const way = beforehand(() => proxy(w.url))
  const folderOf = (profile: string): string => join(cli.env['KITH_HOME']!, profile)
  const clients = names.map((name) => {
    const client = beforehand(async () => {
      await cli.json(0, 'register', '-p', name, '--url', way.url, '--handle', name, '--name', name)
      return openIdentity(folderOf(name))
    })
    return [name, client]
  })
  return {
    cli,
    way,
    folderOf,
    /** The same identities without the command, for what is no part of its story. */
    sdk: Object.fromEntries(clients) as Record<Name, FolderClient>,
    /** Runs the command and kills it around the request. */
    async killedAt(route: RegExp, when: 'before' | 'after', args: readonly string[]): Promise<void> {
      const child = cli.start(...args)
      child.input.end()
      way.at(route, when, () => child.kill('SIGKILL'))
      assert.equal((await child.ended).signal, 'SIGKILL')
    },
    /** Does it past the proxy, which carries no events. */
    async straight<T>(who: Name, act: () => Promise<T>): Promise<T> {
      const passport = join(folderOf(who), 'passport.json')
      const kept = await readFile(passport, 'utf8')
      await writeFile(passport, kept.replace(way.url, w.url))
      const result = await act()
      await writeFile(passport, kept)
      return result
    },
  }
}
