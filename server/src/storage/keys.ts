// The keys of objects. Nothing else becomes a path, or the name of an object in a bucket.
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const idPattern = new RegExp(`^${uuid}$`)
const keyPattern = new RegExp(`^(${uuid})/([\\w-]+)$`)

/** What an attachment may have, sorted by name. */
export const objectNames = ['original', 'playback', 'preview', 'preview-1080', 'preview-480', 'web'] as const
export type ObjectName = (typeof objectNames)[number]

/** What is made of the original. */
export type DerivedName = Exclude<ObjectName, 'original'>
export const derivedNames: readonly DerivedName[] = objectNames.filter((name) => name !== 'original')

interface ObjectKey {
  id: string
  name: ObjectName
}

/** The parts of a key; undefined if it is not a key. */
export function parseKey(key: string): ObjectKey | undefined {
  const [, id, text] = keyPattern.exec(key) ?? []
  const name = objectNames.find((known) => known === text)
  return id === undefined || name === undefined ? undefined : { id, name }
}

export function requireKey(key: string): ObjectKey {
  const parsed = parseKey(key)
  if (!parsed) throw new TypeError('Malformed key of an object')
  return parsed
}

export function requireId(id: string): string {
  if (!idPattern.test(id)) throw new TypeError('Malformed id of an attachment')
  return id
}
