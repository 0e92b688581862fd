// Test files that share a process: most of what a short file takes is to start one and to load the service into it. Each stays
// a suite of its own with its own worlds, one after the other.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * As much as one process runs, in sizes of a short file. Loading the service and compiling what runs often takes twelve seconds
 * of a core in each process; with more in one, its memory grows beyond a gigabyte, and a core idles at the end.
 */
const most = 56

const shared =
  /^server\/(src\/(modules|site|console|verify|operator|kernel|mail|http|realtime|events|app|store|storage|backup)|scripts|seed|upgrades)\/|^(sdk|cli|python)\/test\/|^server\/src\/[a-z-]+\.test|^server\/test\/(citations|contract|groups|market|plans|probes|programs|python-agent|registry|replays)\.test/

/** What looks at its own process, or waits for so long that others would wait for it. */
const apart =
  /browser\/looks|attachments\/(crash|memory|pace|slow)|http\/(flood|socket|pipelining)|realtime\/(silence|stall)|backup\/(backup|restore)|src\/log\.|(doctor|health|landed|statements)\.test|(cli|sdk|python)\/test\/(crash|completion|readme|published|package|types|docs|wheel)\./

/** How many short files take as long as this one. */
const sizeOfOne = (name: string): number => {
  if (/\/browser\/|passkey|server\/test\/(contract|market|plans|replays)|seed/.test(name)) return 8
  return /^cli\//.test(name) ? 4 : 1
}

const sizeOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + sizeOfOne(name), 0)

/** Whether a file can share a process with others. */
export const canShare = (name: string): boolean => shared.test(name) && !apart.test(name)

/** Writes a file for each group of those into the folder, and resolves with their paths. Files of one room stay together. */
export async function writeGroups(root: string, files: readonly string[], folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const rooms = [...Map.groupBy(files, dirname).values()].flatMap((names) => {
    const count = Math.ceil(sizeOf(names) / most)
    return Array.from({ length: count }, (_, at) => names.filter((_name, index) => index % count === at))
  })
  const groups: string[][] = []
  for (const names of rooms.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    const group = groups.find((other) => sizeOf(other) + sizeOf(names) <= most)
    if (group) group.push(...names)
    else groups.push([...names])
  }
  const paths = groups.map((_, at) => join(folder, `${String(at + 1).padStart(2, '0')}.test.ts`))
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
    const path = join(folder, `${beginning}-${name.replaceAll('/', '-')}`)
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
