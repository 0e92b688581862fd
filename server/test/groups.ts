// Test files that share a process: most of what a short file takes is to start one and to load the service into it. Each stays
// a suite of its own with its own worlds, one after the other.
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** As many as one process runs: more would leave a core idle at the end. */
const most = 8

/** Stories over the API and its pages. Those that look at their own process, or start others, have one to themselves. */
export const canShare = (name: string): boolean =>
  /^server\/src\/(modules|site|console|verify|operator|kernel|mail|http|realtime|events)\//.test(name) &&
  !/\/browser\/|passkey\.test|attachments\/(crash|memory|pace|slow)|http\/(flood|socket|pipelining)|realtime\/(silence|stall)/.test(
    name,
  )

/** Writes a file for each group of those into the folder, and resolves with their paths. */
export async function writeGroups(root: string, files: readonly string[], folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const rooms = Map.groupBy(files, dirname)
  const groups: string[] = []
  for (const [room, names] of rooms) {
    const count = Math.ceil(names.length / most)
    for (let at = 0; at < count; at++) {
      const own = names.filter((_, index) => index % count === at)
      const path = join(folder, `${room.replaceAll('/', '-')}-${at + 1}.test.ts`)
      await writeFile(path, suites(root, own))
      groups.push(path)
    }
  }
  return groups
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
      const [title, url] = [basename(name), pathToFileURL(join(root, name)).href]
      return `suite(${JSON.stringify(title)}, ${JSON.stringify(url)})`
    }),
    '',
  ].join('\n')
