// What is kept of a file that was found sound: its objects in the storage, and what its row says of them.
// docs/contract/attachments.md#uploading.
import type { Derived } from '../../inspect/inspect.ts'
import { type Part, part } from '../../kernel/part.ts'
import { derivedNames, type ObjectName, objectNames } from '../../storage/keys.ts'
import type { Storage } from '../../storage/storage.ts'

/** Where files of a new upload lie before they are put: of what may be derived, whether it was or not. */
export type Paths = Readonly<Record<ObjectName, string>>

export const newPaths = (name: () => string): Paths =>
  Object.fromEntries(objectNames.map((each) => [each, name()])) as Paths

/** Puts them all at once. If one fails, this rejects only after all others have ended. */
export async function putObjects(storage: Storage, id: string, paths: Paths, derived: Derived): Promise<void> {
  const names: ObjectName[] = ['original', ...derivedNames.filter((name) => derived[name] !== undefined)]
  const puts = await Promise.allSettled(names.map((name) => storage.put(`${id}/${name}`, paths[name])))
  const failed = puts.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** What an update of its row sets. */
export function derivedColumns({ preview, playback, web, ...copies }: Derived): Part {
  const [small, large] = [copies['preview-480'], copies['preview-1080']]
  return part`preview_bytes = ${preview?.bytes ?? null}, preview_sha256 = ${preview?.sha256 ?? null},
    preview_width = ${preview?.sides?.width ?? null}, preview_height = ${preview?.sides?.height ?? null},
    preview_480_bytes = ${small?.bytes ?? null}, preview_480_sha256 = ${small?.sha256 ?? null},
    preview_1080_bytes = ${large?.bytes ?? null}, preview_1080_sha256 = ${large?.sha256 ?? null},
    web_bytes = ${web?.bytes ?? null}, web_sha256 = ${web?.sha256 ?? null},
    web_widths = ${web?.copies?.map(({ sides }) => sides.width) ?? null}::integer[],
    web_sizes = ${web?.copies?.map(({ bytes }) => bytes) ?? null}::integer[],
    playback_bytes = ${playback?.bytes ?? null}, playback_sha256 = ${playback?.sha256 ?? null}`
}

export const derivedBytes = (derived: Derived): number =>
  Object.values(derived).reduce((sum, { bytes }) => sum + bytes, 0)
