// A test that fills a pool shares it with the service's own work, and whoever comes last of both is refused.
import { PoolFull } from '../src/store/pool.ts'

/** For `catch`: nothing, where the pool was full. */
export function refusedByPool(error: unknown): undefined {
  if (!(error instanceof PoolFull)) throw error
}
