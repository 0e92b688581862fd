// kith-server doctor: what confines the inspection of uploaded files on this machine, as the user that runs it.
import { inspectionLayers } from '../inspect/inspect.ts'
import type { Layer } from '../inspect/means.ts'

/** A line a layer. What does not hold is a fact of the machine and no failure. */
export async function diagnose(): Promise<string[]> {
  return diagnosisText(await inspectionLayers())
}

export function diagnosisText(layers: readonly Layer[]): string[] {
  const width = Math.max(...layers.map(({ name }) => name.length))
  const missing = layers.filter(({ holds }) => !holds).length
  return [
    'Inspections of uploaded files are confined by',
    ...layers.map(
      ({ name, holds, says }) => `  ${name.padEnd(width)}  ${holds ? 'works: ' : 'does not work: '}${says}`,
    ),
    missing === 0
      ? 'All of them work here.'
      : `${missing} of ${layers.length} do not work here: docs/files.md says what remains.`,
  ]
}
