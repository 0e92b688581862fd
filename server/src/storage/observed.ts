// A storage whose operations are timed and counted, and whose failures have one name.
import type { Metrics } from '../metrics.ts'
import { ObjectMissing, type Storage, StorageFailed } from './storage.ts'

export function observed(storage: Storage, metrics: Pick<Metrics, 'storageSeconds' | 'storageFailures'>): Storage {
  async function timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const end = metrics.storageSeconds.startTimer({ operation })
    try {
      return await work()
    } catch (error) {
      // Those two are answers, and one is the caller's mistake.
      if (error instanceof ObjectMissing || error instanceof RangeError || error instanceof TypeError) throw error
      metrics.storageFailures.inc({ operation })
      throw new StorageFailed(operation, error)
    } finally {
      end()
    }
  }
  return {
    incoming: storage.incoming,
    put: (key, path) => timed('put', () => storage.put(key, path)),
    async open(key, range) {
      const body = await timed('open', () => storage.open(key, range))
      // Whatever its reader ends it with is no failure of the storage.
      return body.once('error', (error) => {
        if (error instanceof StorageFailed) metrics.storageFailures.inc({ operation: 'read' })
      })
    },
    remove: (attachmentId) => timed('remove', () => storage.remove(attachmentId)),
    list: (after) => storage.list(after),
    check: () => timed('check', () => storage.check()),
    close: () => storage.close(),
  }
}
