// The files that go with an order: those that were added are boxes to tick, and one more can be added. docs/contract/site.md#ordering.
import { type ownCard, previews } from '../../modules/attachments/cards.ts'
import { type HtmlPart, html } from '../html.ts'
import type { CustomerScene } from '../view.ts'
import type { Attempt } from './form.ts'
import { sizeIn } from './measures.ts'

export type FileCard = ReturnType<typeof ownCard>

export interface Boxes {
  /** The uploads of this customer that nothing holds. */
  cards: readonly FileCard[]
  /** The ids of those that are ticked. */
  files: readonly string[]
  attempt: Attempt
  /** What there is to say of the one that has just come. */
  added: HtmlPart
  filesPath: string
  most: number
  /** What a box is called. */
  field: string
}

/** The file comes behind everything that is typed: who receives it has read that before. */
export function fileBoxes(
  scene: CustomerScene,
  { cards, files, attempt, added, filesPath, most, field }: Boxes,
): HtmlPart {
  const { words } = scene
  const problem = attempt.problems['file']
  const told = `file-hint${problem === undefined ? '' : ' file-problem'}`
  return html`<fieldset class="entry files-entry" id="files"${attempt.problems[field] && html` aria-describedby="files-problem"`}><legend>${words('offer.files')}</legend>
<p class="fine">${words('offer.files.hint', { most })}</p>
${added}
${attempt.problems[field] && html`<p class="field-problem" id="files-problem">${attempt.problems[field]}</p>`}
${cards.length > 0 && html`<ul class="boxes">${cards.map((card) => box(scene, card, { field, isTicked: files.includes(card.id) }))}</ul>`}
<label for="file">${words('offer.files.one')}</label>
<p class="fine" id="file-hint">${words('offer.files.kinds')}</p>
<input id="file" name="file" type="file" aria-describedby="${told}"${problem && html` aria-invalid="true"`}>
${problem && html`<p class="field-problem" id="file-problem">${problem}</p>`}
<p><button class="button quiet" type="submit" formaction="${filesPath}" formenctype="multipart/form-data" formnovalidate>${words('offer.files.add')}</button></p></fieldset>`
}

/** A file is told by the name that its customer gave it, what it is, how large, and since when it is here. */
function box(
  { words }: CustomerScene,
  card: FileCard,
  { field, isTicked }: { field: string; isTicked: boolean },
): HtmlPart {
  const [preview] = card[previews]
  const isPending = card.status === 'pending'
  const values = {
    format: card.file_format.toUpperCase(),
    size: sizeIn(words.locale, card.size),
    at: words.ago(card.created_at),
  }
  return html`<li class="agreement"><input id="file-${card.id}" name="${field}" type="checkbox" value="${card.id}"${isTicked && html` checked`}${isPending && html` disabled`}><label for="file-${card.id}">${preview && html`<img src="${preview.url}" alt="" width="56" height="56" loading="lazy" decoding="async">`}<span>${card.original_name !== null && html`<bdi>${card.original_name}</bdi><br>`}${words(isPending ? 'offer.files.pending' : 'offer.files.file', values)}</span></label></li>
`
}
