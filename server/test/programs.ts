// The programs that tests use and npm does not bring. Where one is missing its tests are skipped, and `npm test` says at its
// end which and how to have them. With KITH_TEST_ALL, as in the gate, a missing program is a failure.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'

/** Each with Debian's package. */
const packages = {
  Chromium: 'chromium-headless-shell',
  'redis-server': 'redis-server',
  Swift: 'python3-swift',
  'Python with nacl, requests and websocket': 'python3-nacl python3-requests python3-venv python3-websocket',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx-light',
  caddy: 'caddy',
  openssl: 'openssl',
  libfaketime: 'faketime',
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  ffprobe: 'ffmpeg',
  ffmpeg: 'ffmpeg',
  pdftoppm: 'poppler-utils',
  unzip: 'unzip',
  '7z': 'p7zip-full',
  gs: 'ghostscript',
} as const

type ProgramName = keyof typeof packages

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

/** Where a program is, if it is installed. */
export function find(name: string): string | undefined {
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** Why tests of this program are skipped, or false: for the option `skip`. */
export function lacks(name: ProgramName, isThere: boolean = find(name) !== undefined): string | false {
  if (isThere) return false
  const why = `${name} is not installed (Debian: ${packages[name]})`
  if (process.env['KITH_TEST_ALL']) throw new Error(why)
  return why
}

/**
 * `test` and its hooks for files in which every test needs a program: if it is missing they skip, and the hooks do
 * nothing.
 */
export function needing(skip: string | false): Pick<typeof import('node:test'), 'after' | 'before' | 'test'> {
  if (!skip) return { after, before, test }
  const skipped = (name?: string): Promise<void> => test(name, { skip })
  return { after: () => {}, before: () => {}, test: skipped as typeof test }
}

export interface LeftOut {
  program: string
  debian: string
}

/** What {@link lacks} said, out of what a test says. */
export function leftOut(said: string): LeftOut | undefined {
  const [, program, debian] = /^(.+) is not installed \(Debian: (.+?)\)/.exec(said) ?? []
  return program !== undefined && debian !== undefined ? { program, debian } : undefined
}

/** The closing line of a run. */
export function leftOutLine(count: number, all: readonly LeftOut[]): string {
  const unique = (words: readonly string[]): string[] => [...new Set(words)].sort()
  const programs = unique(all.map(({ program }) => program)).join(', ')
  const debian = unique(all.flatMap((each) => each.debian.split(' '))).join(' ')
  return `Left out: ${count} tests and comparisons that need ${programs}. On Debian: apt install ${debian}`
}
