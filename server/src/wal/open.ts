// The place that ARCHIVE_URL names.
import type { Storage } from '../config.ts'
import { openFolder } from './folder.ts'
import type { Place } from './place.ts'

export async function openPlace(place: Storage): Promise<Place> {
  if (place.kind === 'file') return openFolder(place.folder)
  const { openBucket } = await import('./bucket.ts')
  return openBucket(place)
}
