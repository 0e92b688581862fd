// Calls that are made again. A change of what has versions is made on the version that is read now; sent again after a lost
// answer, on the one that it was first sent with.
import { type FolderClient, KithReusedIdError } from '@kith/sdk/identity'
import { invalid } from './schema.ts'

export async function versionOf(client: FolderClient, operationId: string, now: { version: number }): Promise<number> {
  const saved = await client.saved(operationId)
  return saved?.body ? (JSON.parse(saved.body) as { expected_version: number }).expected_version : now.version
}

/** A call under the name that its caller gave it: another intent under the same name is refused by that field. */
export async function onceNamed<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent
  } catch (error) {
    if (error instanceof KithReusedIdError) invalid('request_id', 'was already used for something else')
    throw error
  }
}
