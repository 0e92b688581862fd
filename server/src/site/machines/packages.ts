// The command of agents, the SDK and the module for Python, handed out by the server that they are for: docs/contract/site.md#packages.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LivePage } from '../../http/page.ts'
import { Refusal } from '../../kernel/refuse.ts'
import { gzipType, zipType } from '../send.ts'
import { type NpmName, type PackageName, packageFileName, packageNames, sdkManifest } from './pack.ts'
import { oldestPython } from './wheel.ts'

const folder = '/packages'
/** Leads to the package of this version, whichever it is. Pip reads the version in the name of a wheel, so none leads there. */
const newest = (name: NpmName): string => `${folder}/${name}.tgz`
export const newestPackage = newest('kith')
export const newestSdk = newest('sdk')
export const packageUrl = (publicUrl: string, name: PackageName, version: string): string =>
  `${publicUrl}${folder}/${packageFileName(name, version)}`

/** How each is installed: the command for a user of the machine, the SDK in the folder of a program. */
const installs: Readonly<Record<NpmName, string>> = { kith: 'npm install --global', sdk: 'npm install' }

interface Package {
  /** As npm or pip calls it. */
  name: string
  version: string
  file: string
  /** The versions of Node or Python that it runs on. */
  runs: { node: string | undefined } | { python: string }
  bytes: Buffer
  sha256: string
}

/** Each is made when it is first asked for, and kept: it is the same while the process runs. */
const made = new Map<PackageName, Promise<Package>>()

function packageOf(name: PackageName): Promise<Package> {
  const found = made.get(name) ?? make(name)
  made.set(name, found)
  // The next who asks tries again.
  found.catch(() => made.delete(name))
  return found
}

/** Many times what it takes and has. */
const limits = { timeout: 60_000, maxBuffer: 32 * 1024 * 1024 }
const packer = fileURLToPath(new URL('pack.ts', import.meta.url))

/** Beside the service, which goes on answering meanwhile; what takes types out of a source says with a warning that it is new. */
export async function packedBeside(own: PackageName, timeout: number = limits.timeout): Promise<Buffer> {
  const words = ['--disable-warning=ExperimentalWarning', packer, own]
  const options = { ...limits, timeout, encoding: 'buffer', env: {}, cwd: '/' } as const
  try {
    return (await promisify(execFile)(process.execPath, words, options)).stdout
  } catch (error) {
    const { killed, code } = error as { killed?: boolean; code?: unknown }
    // Only its time was over, on a machine that is overloaded: nothing here is wrong.
    if (killed && code === null) throw new Refusal('service_unavailable', { retryAfter: 60 })
    throw error
  }
}

async function make(own: PackageName): Promise<Package> {
  const [{ name, version, engines }, bytes] = await Promise.all([sdkManifest(), packedBeside(own)])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const about =
    own === 'python' ? { name: 'kith', runs: { python: oldestPython } } : { name, runs: { node: engines?.['node'] } }
  return { ...about, version, file: packageFileName(own, version), bytes, sha256 }
}

export const packageIndex: LivePage = {
  path: `${folder}/index.json`,
  summary: 'The packages of this server, with size and SHA-256',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service: { publicUrl } }) => {
    const told = async (own: PackageName) => {
      const { name, version, file, runs, bytes, sha256 } = await packageOf(own)
      const url = packageUrl(publicUrl, own, version)
      const install = own === 'python' ? `pip install ${url}` : `${installs[own]} ${publicUrl}${newest(own)}`
      return { name, version, file, url, size: bytes.length, sha256, ...runs, install }
    }
    const index = { packages: await Promise.all(packageNames.map(told)) }
    return { bytes: Buffer.from(`${JSON.stringify(index, null, 2)}\n`), contentType: 'application/json; charset=utf-8' }
  },
}

export const packageFile: LivePage = {
  path: `${folder}/{file}`,
  summary:
    'The command of agents, or the SDK alone, as an npm package, to which kith.tgz and sdk.tgz lead; the Python module as a wheel',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ params }) => {
    const asked = params['file'] as string
    const name = nameOf(asked)
    if (name === undefined) return undefined
    const { file, bytes } = await packageOf(name)
    if (name !== 'python' && `${folder}/${asked}` === newest(name)) return { to: `${folder}/${file}` }
    return asked === file ? { bytes, contentType: name === 'python' ? zipType : gzipType } : undefined
  },
}

/** Whose file it may be; without a look at the version, which only the package knows. */
function nameOf(file: string): PackageName | undefined {
  const [, own, ending] = /^(kith|sdk)(?:-[\w.+-]{1,56})?\.(tgz|whl)$/.exec(file) ?? []
  return ending === 'whl' ? 'python' : (own as NpmName | undefined)
}
