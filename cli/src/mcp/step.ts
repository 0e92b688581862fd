// Calls that are made again. A change of what has versions is made on the version that is read now; sent again after a lost
// answer, on the one that it was first sent with.
import { type FolderClient, KithReusedIdError } from '@kith/sdk/identity'
import { type Field, invalid, string } from './schema.ts'

/** An empty one, as hosts send that fill in every argument, would be the same key for every call. */
export const request_id: Field = { ...string('Your own key: done once', 100), minLength: 1 }

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
