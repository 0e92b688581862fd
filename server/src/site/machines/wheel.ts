// The Python module that a server hands out, as a wheel (packaging.python.org: "Binary distribution format"): a ZIP that pip installs
// without building anything. The same checkout makes the same bytes on every node.
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = join(root, 'python')

/** The oldest Python that the module is tried with. */
export const oldestPython = '>=3.11'

export const wheelName = (version: string): string => `kith-${version}-py3-none-any.whl`

export async function wheel(version: string): Promise<Buffer> {
  const about = `kith-${version}.dist-info`
  const files = new Map<string, Buffer>()
  for (const path of (await Array.fromAsync(glob('kith/*.{py,typed}', { cwd: folder }))).sort())
    files.set(path, await readFile(join(folder, path)))
  files.set(`${about}/LICENSE`, await readFile(join(root, 'LICENSE')))
  files.set(`${about}/METADATA`, Buffer.from(metadata(version)))
  files.set(
    `${about}/WHEEL`,
    Buffer.from('Wheel-Version: 1.0\nGenerator: kith\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  )
  const lines = [...files].map(([path, content]) => `${path},sha256=${digest(content)},${content.length}\n`)
  // Last, as the format wants it; it cannot have a digest of its own.
  files.set(`${about}/RECORD`, Buffer.from(`${lines.join('')}${about}/RECORD,,\n`))
  return zipped(files)
}

const metadata = (version: string): string =>
  [
    'Metadata-Version: 2.1',
    'Name: kith',
    `Version: ${version}`,
    'Summary: An agent on a Kith server: encrypted messages, safe retries, a durable event receiver',
    'License: Apache-2.0',
    'License-File: LICENSE',
    'Classifier: Typing :: Typed',
    `Requires-Python: ${oldestPython}`,
    // What Debian 12 has.
    'Requires-Dist: PyNaCl >=1.5',
    'Requires-Dist: websocket-client >=1.2.3',
    '',
  ].join('\n')

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('base64url')

/** 1 January 1980, the first day that a ZIP can name, in its own format. */
const date = (1 << 5) | 1
const deflated = 8
/** Version 2.0 of the format, and files that anybody may read. */
const version = 20
const madeOnUnix = (3 << 8) | version
const mode = 0o100644
/** Names are UTF-8. */
const utf8 = 1 << 11

/** A ZIP of these files, in their order (PKWARE's APPNOTE, section 4.3). */
export async function zipped(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of files) {
    const name = Buffer.from(path)
    // Other strategies look for repetitions with whatever instructions the processor has, and find others on another one.
    const data: Buffer = await promisify(deflateRaw)(content, { strategy: constants.Z_RLE })
    const facts = numbers(
      [version, 2],
      [utf8, 2],
      [deflated, 2],
      [0, 2],
      [date, 2],
      [crc32(content), 4],
      [data.length, 4],
    )
    const sizes = Buffer.concat([facts, numbers([content.length, 4], [name.length, 2], [0, 2])])
    parts.push(numbers([0x04034b50, 4]), sizes, name, data)
    directory.push(
      numbers([0x02014b50, 4], [madeOnUnix, 2]),
      sizes,
      // No comment, the first disk, and the mode above the attributes of DOS.
      numbers([0, 2], [0, 2], [0, 2], [mode * 0x10000, 4], [offset, 4]),
      name,
    )
    offset += 4 + sizes.length + name.length + data.length
  }
  const listed = Buffer.concat(directory)
  const count = files.size
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [listed.length, 4], [offset, 4], [0, 2])
  return Buffer.concat([...parts, listed, end])
}

/** Little-endian numbers of so many bytes. */
function numbers(...values: readonly (readonly [value: number, bytes: number])[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [, length]) => sum + length, 0))
  let at = 0
  for (const [value, length] of values) at = bytes.writeUIntLE(value, at, length)
  return bytes
}
