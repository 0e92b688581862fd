// Files of a work as everyone gets them: pictures, first pages, players, and what is only downloaded.
import type { card } from '../../modules/attachments/cards.ts'
import { html, type Part } from '../html.ts'
import type { Scene } from '../view.ts'

export type File = ReturnType<typeof card>

/** The picture of a card: the first file that has one; nothing where none has. */
export function cover(files: readonly File[], alt: string): Part {
  const file = files.find(({ preview_url: url }) => url !== null)
  return file && html`<img class="card-picture" src="${file.preview_url}" alt="${alt}" loading="lazy" decoding="async">`
}

/** All files of a work, in their order. */
export const figures = (_scene: Pick<Scene, 'words'>, files: readonly File[], alt: string): Part =>
  files.length > 0 &&
  html`<div class="files">${files.map((file) => html`<figure class="file">${file.preview_url !== null && html`<img src="${file.preview_url}" alt="${alt}">`}</figure>`)}</div>`
