// Files of a work as everyone gets them: pictures, first pages, players, and what is only downloaded.
// docs/contract/site.md#files.
import { type card, type Preview, previews } from '../../modules/attachments/cards.ts'
import type { SavedRole } from '../../modules/attachments/saved-name.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import { durationIn, sizeIn } from './measures.ts'

export type File = ReturnType<typeof card>

type Speaking = Pick<Scene, 'words'>

/**
 * How wide a picture is shown, as `sizes` says it, without the edges of the page: with them a telephone of three pixels a
 * point would take the whole picture for a copy that is wide enough. In a grid of cards, on the wall of the first page, and in
 * the column of a page, alone or beside another.
 */
const inCard = '(min-width: 78rem) 20rem, (min-width: 59rem) 31vw, (min-width: 40rem) 47vw, calc(100vw - 2.5rem)'
export const onWall = '(min-width: 60rem) 16rem, 23vw'
const inColumn = '(min-width: 84rem) 57rem, (min-width: 60rem) calc(100vw - 27rem), calc(100vw - 2.5rem)'
const inGallery =
  '(min-width: 84rem) 28rem, (min-width: 69rem) calc(50vw - 14rem), (min-width: 60rem) calc(100vw - 27rem), (min-width: 44rem) calc(50vw - 2rem), calc(100vw - 2.5rem)'

interface Picture {
  sizes: string
  alt: string
  /** What is seen first is not waited for. */
  isFirst: boolean
}

/** A picture that has its place before it is there, in the sizes that there are. */
function picture(pictures: readonly Preview[], { sizes, alt, isFirst }: Picture): HtmlPart {
  const [smallest] = pictures
  const whole = pictures.at(-1)
  if (!smallest || !whole) return undefined
  const choice = pictures.map(({ url, width }) => `${url} ${width}w`).join(', ')
  return html`<img${isTall(whole) && html` class="tall"`} src="${smallest.url}"${
    pictures.length > 1 && html` srcset="${choice}" sizes="${sizes}"`
  }${sides(whole)} alt="${alt}"${isFirst ? html` fetchpriority="high"` : html` loading="lazy"`} decoding="async">`
}

/** So high that in the width of a page it would not fit into a window. */
const isTall = ({ width, height }: Preview): boolean => (height ?? 0) > 1.2 * (width ?? 0)

const sides = ({ width, height }: Preview): HtmlPart => width !== null && html` width="${width}" height="${height}"`

/** Whether there is something to look at: not the first page of a document. */
export const isPictured = (files: readonly File[]): boolean => (pictured(files)?.file_format ?? 'pdf') !== 'pdf'

const pictured = (files: readonly File[]): File | undefined => files.find((file) => file[previews].length > 0)

/** The picture of a card: of the first file that has one, nothing if none has. The first card of a page says so. */
export function cover(
  files: readonly File[],
  alt: string,
  { isFirst = false, sizes = inCard }: Partial<Omit<Picture, 'alt'>> = {},
): HtmlPart {
  const file = pictured(files)
  return file && picture(file[previews], { sizes, alt, isFirst })
}

/** What the reader's own files were called where they came from, by their ids. */
export type OwnNames = ReadonlyMap<string, string>

interface Naming {
  /** What the files of an order are there: they are called by it. */
  role?: Exclude<SavedRole, 'file'>
  names?: OwnNames
}

/** All files of a work or an order, in their order; `title` is what they are of. */
export const figures = (
  scene: Speaking,
  files: readonly File[],
  title: string,
  { role, names }: Naming = {},
): HtmlPart =>
  files.length > 0 &&
  html`<div class="files">${files.map((file, index) =>
    figure(scene, file, { title, index, count: files.length, role, own: names?.get(file.id) }),
  )}</div>`

interface Place {
  title: string
  index: number
  count: number
  /** What the reader called it, where it is the reader's own. */
  own: string | undefined
  role: Naming['role']
}

/** What is written above a file: what its owner called it, else what it is in an order. */
function nameOf(words: Scene['words'], { own, role, index }: Place): HtmlPart {
  if (own !== undefined) return html`<bdi>${own}</bdi>`
  return role && words(`files.of.${role}`, { number: index + 1 })
}

function figure({ words }: Speaking, file: File, place: Place): HtmlPart {
  const sizes = place.count > 1 ? inGallery : inColumn
  const savedName = `${place.role ?? 'file'}-${place.index + 1}`
  const said: Said = { words, name: nameIn(words, place), savedName, isFirst: place.index === 0, sizes }
  const title = nameOf(words, place)
  const kind = kindOf(file)
  return html`<figure class="file" data-kind="${kind}">${
    title && html`<p class="file-name">${title}</p>`
  }${kind === 'gone' ? html`<p class="file-gone">${words('files.gone')}</p>` : shown[kind](said, file)}</figure>
`
}

interface Said extends Speaking {
  /** What a file is called for who does not see it: the work's title, with a number where it has several. */
  name: string
  savedName: string
  isFirst: boolean
  sizes: string
}

/** Whichever way a title runs, what is said around it keeps its own. */
const nameIn = (words: Scene['words'], { title, index, count }: Place): string => {
  const isolated = `\u2068${title}\u2069`
  return count === 1 ? isolated : words.text('files.name', { title: isolated, number: index + 1, count })
}

type Kind = 'image' | 'document' | 'video' | 'sound' | 'source'

function kindOf(file: File): Kind | 'gone' {
  if (!file.available) return 'gone'
  if (file.play_url !== null && file.file_format === 'mp4') return 'video'
  if (file.play_url !== null) return 'sound'
  if (file[previews].length === 0) return 'source'
  return file.file_format === 'pdf' ? 'document' : 'image'
}

/** A picture that leads to the whole of it. */
const linkedPicture = ({ sizes, isFirst }: Said, file: File, alt: string): HtmlPart =>
  html`<a href="${file.preview_url}">${picture(file[previews], { sizes, alt, isFirst })}</a>`

const shown: Readonly<Record<Kind, (said: Said, file: File) => HtmlPart>> = {
  // What everyone else would download is the picture that is shown.
  image: (said, file) =>
    html`${linkedPicture(said, file, said.name)}${file.can_download_original && html`<figcaption>${download(said, file)}</figcaption>`}`,
  document: (said, file) =>
    html`${linkedPicture(said, file, said.words.text('files.page.alt', { name: said.name }))}<figcaption>${said.words('files.page')} ${download(said, file)}</figcaption>`,
  video: (said, file) => {
    const poster = file[previews].at(-1)
    return html`<video controls preload="none" src="${file.play_url}"${
      poster && html` poster="${poster.url}"${sides(poster)}`
    } aria-label="${said.words.text('files.video.alt', { name: said.name })}"></video><figcaption>${facts(
      said,
      file,
      'files.video',
    )} ${download(said, file)}</figcaption>`
  },
  sound: (said, file) =>
    html`<audio controls preload="none" src="${file.play_url}" aria-label="${said.words.text('files.sound.alt', {
      name: said.name,
    })}"></audio><figcaption>${facts(said, file, 'files.sound')} ${download(said, file)}</figcaption>`,
  source: (said, file) =>
    html`<p class="file-source"><strong>${file.file_format.toUpperCase()}</strong> <span>${said.words(
      'files.source',
    )}</span> ${download(said, file)}</p>`,
}

/** What of it plays, how it is written, and for how long. */
const facts = ({ words }: Said, file: File, key: 'files.video' | 'files.sound'): HtmlPart =>
  html`<span>${words(key, {
    format: file.file_format.toUpperCase(),
    duration: durationIn(words.locale, file.duration_ms ?? 0),
  })}</span>`

/** Of the bytes that this reader gets, which need not be in the format of the file. */
const download = (
  { words, savedName }: Said,
  { download_url: url, mime_type: type, file_format: format, size }: File,
): HtmlPart =>
  url !== null &&
  html`<a href="${url}?name=${savedName}" download>${words('files.download', {
    format: type === 'image/jpeg' ? 'JPEG' : format.toUpperCase(),
    size: sizeIn(words.locale, size),
  })}</a>`
