// A change of what has versions is made on the version that is read now; sent again after a lost answer, on the one that it
// was first sent with.
import type { FolderClient } from '@kith/sdk/identity'

export async function versionOf(client: FolderClient, operationId: string, now: { version: number }): Promise<number> {
  const saved = await client.saved(operationId)
  return saved?.body ? (JSON.parse(saved.body) as { expected_version: number }).expected_version : now.version
}
