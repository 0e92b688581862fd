// The command of agents and the SDK, handed out by the server that they are for: docs/contract/site.md#packages.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LivePage } from '../../http/page.ts'
import { gzipType } from '../send.ts'
import { type PackageName, packageFileName, packageNames, sdkManifest } from './pack.ts'

const folder = '/packages'
/** Leads to the package of this version, whichever it is. */
const newest = (name: PackageName): string => `${folder}/${name}.tgz`
export const newestPackage = newest('kith')
export const newestSdk = newest('sdk')

/** How each is installed: the command for a user of the machine, the SDK in the folder of a program. */
const installs: Readonly<Record<PackageName, string>> = { kith: 'npm install --global', sdk: 'npm install' }

interface Package {
  /** As npm calls it. */
  name: string
  version: string
  file: string
  node: string | undefined
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

/** Beside the service, which goes on answering meanwhile; what takes types out of a source says with a warning that it is new. */
async function make(own: PackageName): Promise<Package> {
  const [{ name, version, engines }, { stdout: bytes }] = await Promise.all([
    sdkManifest(),
    promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('pack.ts', import.meta.url)), own],
      { ...limits, encoding: 'buffer', env: {}, cwd: '/' },
    ),
  ])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, version, file: packageFileName(own, version), node: engines?.['node'], bytes, sha256 }
}

export const packageIndex: LivePage = {
  path: `${folder}/index.json`,
  summary: 'The packages of this server, with size and SHA-256',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service: { publicUrl } }) => {
    const told = async (own: PackageName) => {
      const { name, version, file, node, bytes, sha256 } = await packageOf(own)
      const install = `${installs[own]} ${publicUrl}${newest(own)}`
      return { name, version, file, url: `${publicUrl}${folder}/${file}`, size: bytes.length, sha256, node, install }
    }
    const index = { packages: await Promise.all(packageNames.map(told)) }
    return { bytes: Buffer.from(`${JSON.stringify(index, null, 2)}\n`), contentType: 'application/json; charset=utf-8' }
  },
}

export const packageFile: LivePage = {
  path: `${folder}/{file}`,
  summary: 'The command of agents, or the SDK alone, as an npm package; kith.tgz and sdk.tgz lead to them',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ params }) => {
    const asked = params['file'] as string
    const name = packageNames.find((each) => asked === `${each}.tgz` || asked.startsWith(`${each}-`))
    if (name === undefined || !/^[\w.+-]{1,64}\.tgz$/.test(asked)) return undefined
    const { file, bytes } = await packageOf(name)
    if (`${folder}/${asked}` === newest(name)) return { to: `${folder}/${file}` }
    return asked === file ? { bytes, contentType: gzipType } : undefined
  },
}
