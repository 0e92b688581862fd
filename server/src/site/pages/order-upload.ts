// A file is added to an order that is still being typed: it is kept for the customer, and the form comes again with it.
// docs/contract/site.md#ordering.
import { requireLength } from '../../http/body.ts'
import type { Unsent, Upload, UploadTarget } from '../../http/page.ts'
import { limitWrites } from '../../http/writes.ts'
import type { RejectionReason } from '../../inspect/look.ts'
import { type Code, Refusal, refuse } from '../../kernel/refuse.ts'
import { uuidPattern } from '../../kernel/schema.ts'
import type { AttachmentRow } from '../../modules/attachments/cards.ts'
import { maxRequest, receiverOfForm } from '../../modules/attachments/receive.ts'
import { uploadsOf } from '../../modules/attachments/uploads.ts'
import { mayHaveFocus } from '../focus.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import type { Attempt } from '../parts/form.ts'
import { newOrderPath } from '../parts/order.ts'
import { filesField, offerFields } from '../parts/order-offer.ts'
import { type CustomerScene, customerUpload } from '../view.ts'
import type { Key } from '../words.ts'
import { filesPath, offerView } from './order-form.ts'
import { refusedOffer } from './order-new.ts'

/** More than the longest that an entry may be, so that what is too long is told by its name. */
const mostFieldBytes = 262_144

export const orderUpload: UploadTarget = customerUpload({
  path: filesPath,
  summary: 'Adds a file to an order that is being typed',
  parts: partsOf({ fields: offerFields, lists: { names: [filesField], most: 100 } }),
  sentTo: () => newOrderPath,
  receive: (scene) => receive(scene),
})

/** What a form of an order has before its file, where any of it may be missing. */
export function partsOf({ fields, optional = [], lists }: Pick<FilesForm, 'fields' | 'optional' | 'lists'>) {
  return { optional: ['csrf_token', 'upload_id', ...fields, ...optional], lists, maxFieldBytes: mostFieldBytes }
}

/** What came of the form beside its file. */
export interface Typed {
  values: Attempt['values']
  lists: Readonly<Record<string, readonly string[]>>
}

/** A form of an order that files are added to. */
interface FilesForm {
  fields: readonly string[]
  optional?: readonly string[]
  /** More of them than a form of ours has. */
  lists: { names: readonly string[]; most: number }
  /** What is wrong with it, where a refusal says so. */
  refused: (error: unknown, values: Attempt['values']) => Attempt
  /** The form again; `file` is the upload that is now there, and `added` says so. */
  view: (typed: Typed, attempt: Attempt, came?: { file: AttachmentRow; added: HtmlPart }) => Promise<View | undefined>
}

const receive = (scene: CustomerScene & Upload): Promise<View | undefined> =>
  receiveFile(scene, {
    fields: offerFields,
    lists: { names: [filesField], most: 100 },
    refused: (error, values) => refusedOffer(scene, error, values),
    view: ({ values, lists }, attempt, came) => {
      const files = new Set([...(lists[filesField] ?? []), ...(came ? [came.file.id] : [])])
      return offerView(scene, { handle: values['contractor'], files: [...files], attempt, added: came?.added })
    },
  })

/** Stores the file that a form brings, and shows the form again as it was typed. */
export async function receiveFile(scene: CustomerScene & Upload, form: FilesForm): Promise<View | undefined> {
  const { service, customer, request, reply, words } = scene
  const receiver = receiverOfForm(request, {
    fields: ['csrf_token', 'upload_id', ...form.fields],
    optional: form.optional ?? [],
    lists: form.lists,
    maxFieldBytes: mostFieldBytes,
    read(sofar) {
      const { csrf_token: token, upload_id: uploadId = '' } = sofar.fields
      if (token === undefined) refuse('csrf_failed')
      // Of an earlier session: what was typed is shown again, and nothing is kept.
      scene.note(sofar)
      if (!scene.isOwnToken(token)) refuse('csrf_failed')
      if (!uuidPattern.test(uploadId.toLowerCase())) refuse('invalid_input')
      return { purpose: 'order', uploadId }
    },
  })
  try {
    requireLength(request, maxRequest)
    await limitWrites(service, customer.human, reply)
    const { file } = await uploadsOf(service).accept(customer.human, receiver)
    return again(scene, form, typedIn(await scene.unsent()), file)
  } catch (error) {
    const unsent = await scene.unsent()
    if (Object.keys(unsent.fields).length === 0) throw error
    const typed = typedIn(unsent)
    const { problem, ...attempt } = form.refused(error, typed.values)
    const ofFile = error instanceof Refusal ? ofFiles[error.code] : undefined
    const told = ofFile ? words.text(ofFile) : problem
    const problems = { ...attempt.problems, ...(told !== undefined && { file: told }) }
    const shown = await form.view(typed, { ...attempt, problems })
    if (!shown) throw error
    return shown
  }
}

/** What a refusal says of a file. */
const ofFiles: Partial<Record<Code, Key>> = {
  unsupported_media_type: 'offer.files.unknown',
  payload_too_large: 'offer.files.large',
}

function typedIn({ fields: { csrf_token: _token, upload_id: _id, ...values }, lists }: Unsent): Typed {
  return { values, lists }
}

/** The form with the file among its boxes, or with what is wrong with it. */
function again(scene: CustomerScene, form: FilesForm, typed: Typed, file: AttachmentRow): Promise<View | undefined> {
  const { values } = typed
  if (file.status === 'rejected') {
    const reason = file.rejection_reason as RejectionReason
    const problems = { file: scene.words.text(`offer.files.rejected.${reason}`) }
    return form.view(typed, { values, problems, status: 400 })
  }
  return form.view(typed, { values, problems: {} }, { file, added: told(scene, file) })
}

const told = ({ words }: CustomerScene, { status }: AttachmentRow): HtmlPart =>
  html`<p class="callout" role="status"${mayHaveFocus('answer')}>${words(status === 'pending' ? 'offer.files.waits' : 'offer.files.added')}</p>`
