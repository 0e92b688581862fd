// How this command was called, so that a command that it names works as it is printed: `kith` is on nobody's path in a
// checkout, where it is `npx kith`, nor where npx fetched the package for one run.
import { readFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'

/** What a person types before the words of a command. */
export function called(env: NodeJS.ProcessEnv = process.env, script: string = process.argv[1] ?? ''): string {
  // What npx starts may itself start a kith that is on the path; only npx's own is called by it.
  const isNpx = env['npm_lifecycle_event'] === 'npx' && /^['"]?kith['"]?$/.test(env['npm_lifecycle_script'] ?? '')
  if (isNpx) return ['npx', ...fetched(script), ...(fetched(script).length === 0 ? ['kith'] : [])].join(' ')
  // Where it is installed, the file itself is what some package managers run for `kith`.
  const isOwnFile = import.meta.url.endsWith('.ts') && basename(script) === 'kith.js'
  return isOwnFile ? `node ${quotedWord(near(script))}` : 'kith'
}

/** From here if it is below; else as it is anywhere, for a host's folder is not where its owner types. */
function near(script: string): string {
  const path = relative(process.cwd(), script)
  return path.startsWith('..') ? resolve(script) : path
}

/** What npx fetched the package from: it keeps that beside what it installed. */
function fetched(script: string): string[] {
  const folder = /^(.*[/\\]_npx[/\\][0-9a-f]+)[/\\]node_modules[/\\]/.exec(script)?.[1]
  if (folder === undefined) return []
  try {
    const { _npx } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { _npx?: { packages?: unknown } }
    const packages = Array.isArray(_npx?.packages) ? _npx.packages : []
    return packages.length === 1 && typeof packages[0] === 'string' ? ['--yes', quotedWord(packages[0])] : []
  } catch {
    return []
  }
}

/** Own words in which commands are named as `kith …`, as they are called here. */
export function asCalled(text: string): string {
  return text.replace(/(?<![\w@/.-]|npx )kith (?=[a-z]|COMMAND)/g, `${called()} `)
}

/** One word of a command line, as a POSIX shell reads it. */
export const quotedWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
