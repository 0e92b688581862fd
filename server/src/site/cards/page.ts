// Share pictures by their addresses. docs/contract/site.md#share-pictures.
import { buffer } from 'node:stream/consumers'
import type { LivePage, Visit } from '../../http/page.ts'
import { previewAt } from '../../modules/attachments/cards.ts'
import { openStored } from '../../modules/attachments/stored.ts'
import { findAvailable } from '../../modules/attachments/visibility.ts'
import type { Service } from '../../service.ts'
import { icon as shippedIcon } from '../assets.ts'
import { brandOf } from '../brand/brand.ts'
import { drawFace } from '../faces.ts'
import { hostOf } from '../frame.ts'
import { type Card, cardPath, digestOf, folder } from './card.ts'
import { type Drawing, drawn } from './drawer.ts'
import { findCard } from './find.ts'

export const sharePicture: LivePage = {
  path: `${folder}/{kind}/{file}`,
  summary: 'The picture that links to a page are shown with',
  caller: 'anyone',
  cache: 'revalidated',
  isShared: true,
  // To draw one takes its time, which says nothing of a replica.
  readsItself: true,
  async show({ service, params, address }: Visit) {
    const [, id, digest] = /^([0-9a-z_-]{1,64})\.([0-9a-f]{16})\.png$/.exec(params['file'] as string) ?? []
    if (id === undefined) return undefined
    // Asked each time, whatever is kept: what is hidden has no picture from then on.
    const make = await service.reading((reading) => findCard(reading, params['kind'] as string, id))
    if (!make) return undefined
    const { catalogue } = brandOf(service)
    const cards = catalogue.languages.map(({ code }) => make(catalogue.of([code])))
    const card = cards.find((each) => digestOf(service, each) === digest)
    if (!card) return { to: cardPath(service, make(catalogue.of([]))) }
    const bytes = await drawn(service, { path: cardPath(service, card), address }, () => drawingOf(service, card))
    return { bytes, contentType: 'image/png' }
  },
}

async function drawingOf(service: Service, { kind, title, says, by, picture }: Card): Promise<Drawing> {
  const { name, accent, icon } = brandOf(service)
  const [avatar, shown] = await Promise.all([
    by?.avatar === undefined ? undefined : previewOf(service, by.avatar),
    picture === undefined ? undefined : previewOf(service, picture),
  ])
  const { fingerprint } = by ?? {}
  return {
    site: { name, host: hostOf(service), accent, icons: [icon.bytes, shippedIcon.bytes] },
    title,
    says,
    by: by && { name: by.display_name, handle: by.handle, note: by.note },
    face: avatar ?? (fingerprint === undefined ? undefined : Buffer.from(drawFace(fingerprint))),
    isAgent: kind === 'agent',
    picture: shown,
  }
}

/** The preview of a file as everyone gets it: large enough, and no larger than the service makes them. */
async function previewOf(service: Service, id: string): Promise<Buffer | undefined> {
  const { file } = await findAvailable(service.sql, undefined, id)
  const preview = previewAt(file, 1080)
  const opened = preview && (await openStored(service, { id: file.id, object: preview.object, range: undefined }))
  return opened && buffer(opened)
}
