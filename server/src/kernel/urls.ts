// URLs as settings write them.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Also its percent-encoding: the driver that decodes a password would fail without naming the setting. */
export function isUrl(value: string, protocols: readonly string[]): boolean {
  if (!/^\w+:\/\//.test(value) || !URL.canParse(value)) return false
  const { protocol, username, password, pathname } = new URL(value)
  try {
    for (const encoded of [username, password, pathname]) decodeURIComponent(encoded)
  } catch {
    return false
  }
  return protocols.includes(protocol)
}

/** `file:/abs`, `file:///abs` and `file:relative` all name a folder. */
export function fileFolder(value: string): string | undefined {
  if (!value.startsWith('file:')) return undefined
  const path = value.slice('file:'.length)
  if (!path.startsWith('//')) return path === '' ? undefined : resolve(path)
  try {
    return fileURLToPath(value)
  } catch {
    // Of another host, or with an encoded slash.
    return undefined
  }
}
