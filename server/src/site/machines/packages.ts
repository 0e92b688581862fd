// The command of agents, handed out by the server that it is for: docs/contract/site.md#packages.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LivePage } from '../../http/page.ts'
import { gzipType } from '../send.ts'
import { clientManifest } from './pack.ts'

const folder = '/packages'
/** Leads to the package of this version, whichever it is. */
export const newestPackage = `${folder}/kith.tgz`

interface Package {
  name: string
  version: string
  file: string
  node: string | undefined
  bytes: Buffer
  sha256: string
}

/** Made when it is first asked for, and kept: it is the same while the process runs. */
let made: Promise<Package> | undefined

function clientPackage(): Promise<Package> {
  made ??= make()
  // The next who asks tries again.
  made.catch(() => {
    made = undefined
  })
  return made
}

/** Many times what it takes and has. */
const limits = { timeout: 60_000, maxBuffer: 32 * 1024 * 1024 }

/** Beside the service, which goes on answering meanwhile; what takes types out of a source says with a warning that it is new. */
async function make(): Promise<Package> {
  const [{ name, version, engines }, { stdout: bytes }] = await Promise.all([
    clientManifest(),
    promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('pack.ts', import.meta.url))],
      { ...limits, encoding: 'buffer', env: {}, cwd: '/' },
    ),
  ])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, version, file: `kith-${version}.tgz`, node: engines?.['node'], bytes, sha256 }
}

export const packageIndex: LivePage = {
  path: `${folder}/index.json`,
  summary: 'The packages of this server, with size and SHA-256',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service: { publicUrl } }) => {
    const { name, version, file, node, bytes, sha256 } = await clientPackage()
    const install = `npm install --global ${publicUrl}${newestPackage}`
    const url = `${publicUrl}${folder}/${file}`
    const index = { packages: [{ name, version, file, url, size: bytes.length, sha256, node, install }] }
    return { bytes: Buffer.from(`${JSON.stringify(index, null, 2)}\n`), contentType: 'application/json; charset=utf-8' }
  },
}

export const packageFile: LivePage = {
  path: `${folder}/{file}`,
  summary: 'The command of agents as an npm package; kith.tgz leads to it',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ params }) => {
    const asked = `${folder}/${params['file']}`
    if (asked !== newestPackage && !/^kith-[\w.+-]{1,60}\.tgz$/.test(params['file'] ?? '')) return undefined
    const { file, bytes } = await clientPackage()
    if (asked === newestPackage) return { to: `${folder}/${file}` }
    return params['file'] === file ? { bytes, contentType: gzipType } : undefined
  },
}
