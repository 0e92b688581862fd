// Test files that share a process: most of what a short file takes is to start one and to load the service into it. Each stays
// a suite of its own with its own worlds, one after the other.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** As many as one process runs. It costs about three seconds of a core to start one; with more, a core idles at the end. */
const most = 16

/** Stories over the API and its pages, and tests that take a moment. */
const short =
  /^server\/(src\/(modules|site|console|verify|operator|kernel|mail|http|realtime|events|app|store)|scripts)\/|^(sdk|cli)\/test\/|^server\/(src|test)\/(config|documents|metrics|citations|probes|programs)\.test/

/** What looks at its own process, or takes long. */
const apart =
  /\/browser\/|\/embedded\/|passkey\.test|attachments\/(crash|memory|pace|slow)|http\/(flood|socket|pipelining)|realtime\/(silence|stall)|(doctor|health|landed|statements)\.test|(sdk|cli)\/test\/(crash|market|trade|story|completion|readme|published|package|types)\./

/** Whether a file can share a process with others. */
export const canShare = (name: string): boolean => short.test(name) && !apart.test(name)

/** Writes a file for each group of those into the folder, and resolves with their paths. Files of one room stay together. */
export async function writeGroups(root: string, files: readonly string[], folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const rooms = [...Map.groupBy(files, dirname).values()].flatMap((names) => {
    const count = Math.ceil(names.length / most)
    return Array.from({ length: count }, (_, at) => names.filter((_name, index) => index % count === at))
  })
  const groups: string[][] = []
  for (const names of rooms.toSorted((a, b) => b.length - a.length)) {
    const group = groups.find((other) => other.length + names.length <= most)
    if (group) group.push(...names)
    else groups.push([...names])
  }
  const paths = groups.map((_, at) => join(folder, `${String(at + 1).padStart(2, '0')}.test.ts`))
  for (const [at, names] of groups.entries()) await writeFile(paths[at] as string, suites(root, names))
  return paths
}

/** Writes a file for each of those that has a process to itself, with a name before that of any group. */
export async function writeAlone(root: string, files: readonly string[], folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const paths: string[] = []
  for (const name of files) {
    const path = join(folder, `0-${name.replaceAll('/', '-')}`)
    await writeFile(path, `import ${JSON.stringify(pathToFileURL(join(root, name)).href)}\n`)
    paths.push(path)
  }
  return paths
}

const suites = (root: string, names: readonly string[]): string =>
  [
    `import { suite } from ${JSON.stringify(new URL('suite.ts', import.meta.url).href)}`,
    ...names.map((name) => {
      const [title, url] = [name, pathToFileURL(join(root, name)).href]
      return `suite(${JSON.stringify(title)}, ${JSON.stringify(url)})`
    }),
    '',
  ].join('\n')
