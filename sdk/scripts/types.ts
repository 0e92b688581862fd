// The types of the package, as the compiler tells them: they are kept in generated/, for a server that hands the package out has no
// compiler.
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const sdk = fileURLToPath(new URL('..', import.meta.url))
export const typesFolder = join(sdk, 'generated')

/** Long, and its own declaration. */
const contract = 'generated/openapi.d.ts'

/** Writes them into a folder, and nothing else is there then. */
export async function writeTypes(folder = typesFolder): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
  await promisify(execFile)(process.execPath, [compiler, '-p', join(sdk, 'tsconfig.types.json'), '--outDir', folder])
  await rm(join(folder, contract))
}
