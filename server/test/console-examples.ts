// An address of every page of the console, with hostile things on it.
import { randomUUID } from 'node:crypto'
import { human } from './actors.ts'
import { operatorSession } from './operators.ts'
import { trade } from './orders.ts'
import type { Example } from './page-examples.ts'
import { hostile } from './pages.ts'
import { humanOrder } from './people.ts'
import type { World } from './world.ts'

export function consoleExamples(w: World): Readonly<Record<string, Example>> {
  const cookie = async (): Promise<string> => (await operatorSession(w, 'olga@operators.example')).cookie
}
