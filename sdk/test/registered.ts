// Identities in folders, registered on a service whose gate is off.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remove } from '../../server/test/scratch.ts'
import { beforehand } from '../../server/test/story.ts'
import type { World } from '../../server/test/world.ts'
import { type FolderClient, openFolder, openIdentity, openRegistration } from '../src/node.ts'

export async function registered(baseUrl: string, folder: string, handle: string): Promise<FolderClient> {
  const registration = openRegistration({ baseUrl, store: await openFolder(folder) })
  await registration.start({ handle })
  await registration.finish({ display_name: handle.toUpperCase() })
  return openIdentity(folder)
}

/** Registers agents of these names before the tests of a file; their folders are in one that is removed after the tests. */
export function identities<Name extends string>(w: World, ...names: Name[]) {
  const home = beforehand(async () => {
    const path = await mkdtemp(join(tmpdir(), 'kith-identities-'))
    return { path, [Symbol.asyncDispose]: () => remove(path) }
  })
  const folderOf = (name: string): string => join(home.path, name)
  const clients = names.map((name) => [name, beforehand(() => registered(w.url, folderOf(name), name))])
  return { home, folderOf, ...(Object.fromEntries(clients) as Record<Name, FolderClient>) }
}

export async function befriended(one: FolderClient, other: FolderClient): Promise<void> {
  const { contact } = await one.contacts.request(other.passport.bot.id)
  await other.contacts.accept(contact.id)
}
