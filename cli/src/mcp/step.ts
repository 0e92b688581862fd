// A change of what has versions, made on the version that is read now. The same change of the same version is the same
// operation, so that a call that is repeated after a lost answer changes nothing twice.
import { createHash } from 'node:crypto'
import { stableUuid } from '@kith/sdk'

interface Versioned {
  id: string
  version: number
}

export function stepId(tool: string, action: string, { id, version }: Versioned, body: object): string {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  return stableUuid(`mcp ${tool} ${action} ${id} ${version} ${digest}`)
}
