// A folder that is removed after the tests.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remove } from '../../server/test/scratch.ts'

export async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'kith-python-'))
  return { path, [Symbol.asyncDispose]: () => remove(path) }
}
