// Test files that share a process: most of what a short file takes is to start one and to load the service into it. Each stays
// a suite of its own with its own worlds, one after the other.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * As much as one process runs, in sizes of a short file. Loading the service and compiling what runs often takes twelve seconds
 * of a core in each process; with much more in one, its memory grows beyond a gigabyte, and a core idles at the end.
 */
const most = 66

const shared =
  /^server\/(src\/(modules|site|console|verify|operator|kernel|mail|http|realtime|events|app|store|storage|backup)|scripts|seed|upgrades)\/|^(sdk|cli|python)\/test\/|^server\/src\/[a-z-]+\.test|^server\/test\/(citations|contract|groups|market|plans|probes|programs|python-agent|registry|replays)\.test/

/** What looks at its own process, or must not be held up by others. */
const apart =
  /browser\/looks|attachments\/(crash|memory|pace|slow)|http\/flood|backup\/(backup|crash|restore)|(doctor|statements)\.test|(sdk|python)\/test\/crash|(cli|sdk|python)\/test\/(completion|readme|package|types|docs|wheel)\./

/** What waits for other processes and for limits of time: these share a process of their own, so that no short file waits for them. */
const waiting =
  /^server\/test\/process-(group|nodes|silence|socket)\.test|(http\/(socket|pipelining)|realtime\/(silence|stall)|wal\/drill|src\/log|app\/health|store\/landed)\.test/

/** How many short files take as long as this one. */
const sizeOfOne = (name: string): number => {
  if (
    /\/browser\/|passkey|cli\/test\/crash|server\/test\/(contract|market|plans|replays)|seed|site\/(pages|.*-attack)\.test/.test(
      name,
    )
  )
    return 8
  if (waiting.test(name)) return 8
  return /^cli\//.test(name) ? 4 : 1
}

const sizeOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + sizeOfOne(name), 0)

/** Which processes run a file: one of those that short files share, one of those that wait, or its own. */
export const sharing = (name: string): 'short' | 'waiting' | 'none' => {
  if (waiting.test(name)) return 'waiting'
  return shared.test(name) && !apart.test(name) ? 'short' : 'none'
}

/**
 * Writes a file for each group of those into the folder, and resolves with their paths, which begin with this. The groups are
 * of about one size; most files of a room stay together. They are JavaScript: the compile cache has no types of theirs, and what
 * strips these takes a third of a second to load.
 */
export async function writeGroups(
  root: string,
  files: readonly string[],
  folder: string,
  beginning = '',
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const rooms = [...Map.groupBy(files, dirname).values()].toSorted((a, b) => sizeOf(b) - sizeOf(a))
  const whole = sizeOf(files)
  const count = Math.max(1, Math.round(whole / most))
  const groups = Array.from({ length: count }, (): string[] => [])
  let before = 0
  for (const name of rooms.flat()) {
    groups[Math.floor((before / whole) * count)]?.push(name)
    before += sizeOfOne(name)
  }
  const paths = groups.map((_, at) => join(folder, `${beginning}${String(at + 1).padStart(2, '0')}.test.mjs`))
  for (const [at, names] of groups.entries()) await writeFile(paths[at] as string, suites(root, names))
  return paths
}

/** Writes a file for each of those that has a process to itself; they run sorted by name, and each name begins with this. */
export async function writeAlone(
  root: string,
  files: readonly string[],
  folder: string,
  beginning: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const paths: string[] = []
  for (const name of files) {
    const path = join(folder, `${beginning}-${name.replaceAll('/', '-').replace(/ts$/, 'mjs')}`)
    await writeFile(
      path,
      [`import ${urlOf(root, name)}`, `import { suitesEnd } from ${suiteUrl}`, 'suitesEnd()', ''].join('\n'),
    )
    paths.push(path)
  }
  return paths
}

const suites = (root: string, names: readonly string[]): string =>
  [
    `import { suite, suitesEnd } from ${suiteUrl}`,
    ...names.map((name) => `suite(${JSON.stringify(name)}, ${urlOf(root, name)})`),
    'suitesEnd()',
    '',
  ].join('\n')

const suiteUrl = JSON.stringify(new URL('suite.ts', import.meta.url).href)

const urlOf = (root: string, name: string): string => JSON.stringify(pathToFileURL(join(root, name)).href)
