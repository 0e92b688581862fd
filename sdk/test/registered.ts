// An identity in a folder, registered on a service whose gate is off.
import { type FolderClient, openFolder, openIdentity, openRegistration } from '../src/node.ts'

export async function registered(baseUrl: string, folder: string, handle: string): Promise<FolderClient> {
  const registration = openRegistration({ baseUrl, store: await openFolder(folder) })
  await registration.start({ handle })
  await registration.finish({ display_name: handle.toUpperCase() })
  return openIdentity(folder)
}
