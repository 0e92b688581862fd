// A file is added to an order of a service that is still being typed. docs/contract/site.md#services.
import type { Upload, UploadTarget } from '../../http/page.ts'
import { maxFields, maxOptions } from '../../modules/catalog/form.ts'
import { findVisible } from '../../modules/catalog/services.ts'
import type { View } from '../layout.ts'
import { filesField } from '../parts/order-offer.ts'
import { servicePath } from '../parts/service.ts'
import { aligned, answerFields, placeFor } from '../parts/service-form.ts'
import { isCanonicalId } from '../text.ts'
import { type CustomerScene, customerUpload } from '../view.ts'
import { partsOf, receiveFile } from './order-upload.ts'
import { orderFields, orderLists, refused } from './service-order.ts'
import { serviceView } from './service-view.ts'

/** Files, and every option of every question. */
const mostListed = 100 + maxFields * maxOptions

const parts = {
  fields: orderFields,
  optional: [...answerFields, 'service_quote_id'],
  lists: { names: orderLists, most: mostListed },
}

export const serviceUpload: UploadTarget = customerUpload({
  path: `${servicePath('{id}')}/files`,
  summary: 'Adds a file to an order of a service that is being typed',
  parts: partsOf(parts),
  sentTo: (params) => servicePath(params['id'] as string),
  receive: (scene) => receive(scene),
})

async function receive(scene: CustomerScene & Upload): Promise<View | undefined> {
  const id = scene.params['id'] as string
  const service = isCanonicalId(id) ? await findVisible(scene.service.sql, null, id) : undefined
  if (!service) {
    // Nobody reads what comes.
    scene.request.resume()
    return undefined
  }
  const form = service.input_schema
  return receiveFile(scene, {
    ...parts,
    refused: (error, values) => refused(scene, { service, sent: { values, lists: {} } }, error),
    view: (typed, attempt, came) => {
      const { values, lists } = aligned(form, { values: attempt.values, lists: typed.lists })
      if (!came) return serviceView(scene, { attempt: { ...attempt, values }, lists })
      const { file, added } = came
      // A question that waits for such a file is answered with it.
      const place = placeFor(form, values, file)
      const files = [...new Set([...(lists[filesField] ?? []), file.id])]
      const answered = { ...values, ...(place !== undefined && file.status === 'ready' && { [place]: file.id }) }
      const ticked = { ...lists, [filesField]: files }
      return serviceView(scene, { attempt: { ...attempt, values: answered }, lists: ticked, added })
    },
  })
}
