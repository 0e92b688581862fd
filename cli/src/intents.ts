// What a command means to do, saved before it begins. The same command after a crash goes on under the same ids, so that
// nothing is published or uploaded twice.
import { createHash, randomUUID } from 'node:crypto'
import { type FolderClient, KithDamagedError, readJson } from '@kith/sdk/identity'
import { exit, failureOf } from './exit.ts'

export interface Intent {
  /** The operation id of what is done. */
  id: string
  created_at: string
}

/** An upload that nothing holds lives a day: an older intent is a new one. */
const lifetimeMs = 24 * 3600 * 1000

/**
 * Run `act` for what `content` says. After a crash, or while the outcome is unknown, the same content has the same id;
 * once `act` is through, or was refused, it is forgotten. With `own`, the caller's own id, nothing needs remembering.
 */
export async function once<T>(
  client: FolderClient,
  content: unknown,
  own: string | undefined,
  act: (intent: Intent) => Promise<T>,
): Promise<T> {
  const now = Date.now()
  const fresh: Intent = { id: own ?? randomUUID(), created_at: new Date(now).toISOString() }
  if (own !== undefined) return act(fresh)
  const { folder } = client
  const read = async (name: string): Promise<Intent | undefined> => {
    const intent = await readJson<Intent>(folder, `cli-intents/${name}`)
    if (!intent || now - Date.parse(intent.created_at) < lifetimeMs) return intent
    await folder.remove(`cli-intents/${name}`)
    return undefined
  }
  // One that is damaged stops only the command that it belongs to.
  for (const name of await folder.list('cli-intents')) await read(name).catch(unlessDamaged)
  const name = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)
  let intent = (await read(name)) ?? fresh
  if (intent === fresh && !(await folder.create(`cli-intents/${name}`, `${JSON.stringify(fresh)}\n`)))
    intent = (await read(name)) ?? fresh
  try {
    const result = await act(intent)
    await folder.remove(`cli-intents/${name}`)
    return result
  } catch (error) {
    const { exit_code, code, status } = failureOf(error)
    const isOver = (exit_code === exit.refused || exit_code === exit.usage) && status !== 429
    // What something in between said ends nothing.
    if (isOver && code !== 'unexpected_answer') await folder.remove(`cli-intents/${name}`)
    throw error
  }
}

function unlessDamaged(error: unknown): void {
  if (!(error instanceof KithDamagedError)) throw error
}

/** What is begun again after its request was given up is meant as something new. */
export async function forget({ folder }: FolderClient, id: string): Promise<void> {
  for (const name of await folder.list('cli-intents'))
    if ((await readJson<Intent>(folder, `cli-intents/${name}`).catch(unlessDamaged))?.id === id)
      await folder.remove(`cli-intents/${name}`)
}

/** The n-th id that belongs to an intent: the same at every try. */
export function partId({ id }: Pick<Intent, 'id'>, n: number): string {
  const hex = createHash('sha256').update(`${id} ${n}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
