// SITE_DIR: what an operator gives the site beyond its settings. Words of languages, a style sheet and pages, and nothing else that
// is in the folder; read once, at the start. docs/site.md#the-folder.
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { ConfigError } from '../../config.ts'
import { render } from '../html.ts'
import { markdown } from '../markdown.ts'
import { strangerIn } from '../messages.ts'
import { english, type Key, type Messages } from '../words.ts'

export interface Folder {
  /** By BCP 47. */
  words: ReadonlyMap<string, Messages>
  style: Buffer | undefined
  /** In the order of their names. */
  pages: readonly CustomPage[]
}

export interface CustomPage {
  slug: string
  /** For all languages that have none of their own. */
  text: CustomText
  byLanguage: ReadonlyMap<string, CustomText>
}

export interface CustomText {
  /** Undefined in the one for all languages: it does not say. */
  language?: string
  title: string
  /** Markdown, without its title. */
  body: string
}

const mostBytes = { words: 1024 * 1024, style: 256 * 1024, page: 256 * 1024 }
const mostPages = 50

/** Throws a {@link ConfigError} of one line that names the file that cannot be taken. */
export function readFolder(path: string): Folder {
  const root = real(path) ?? wrong('cannot be read')
  const words = readWords(root)
  return { words, style: readStyle(root), pages: readPages(root) }
}

/** One line, whatever a file is called or says. */
function wrong(problem: string): never {
  throw new ConfigError(`Malformed setting SITE_DIR: ${problem.replace(/\p{Cc}+/gu, ' ').slice(0, 300)}`)
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/**
 * The files of a folder, sorted by name, without what editors and file systems leave there; none if there is no folder.
 */
function filesIn(root: string, folder: string): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    return wrong(`cannot read ${folder}`)
  }
  return entries
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && !name.endsWith('~'))
    .sort((a, b) => (a < b ? -1 : 1))
}

/** The text of a file that lies in the folder, wherever links within the folder lead; undefined if there is none. */
function textOf(root: string, name: string, most: number): string | undefined {
  const path = real(join(root, name))
  if (path === undefined) {
    // A link that leads nowhere has a name, but is no file.
    return filesIn(root, join(name, '..')).includes(name.split(sep).at(-1) as string)
      ? wrong(`cannot read ${name}`)
      : undefined
  }
  if (!path.startsWith(root + sep)) wrong(`${name} leads out of the folder`)
  let bytes: Buffer
  try {
    const { size } = statSync(path)
    if (size > most) wrong(`${name} is larger than ${most / 1024} KiB`)
    bytes = readFileSync(path)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    return wrong(`cannot read ${name}`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return wrong(`${name} must be UTF-8`)
  }
}

const isLanguage = (code: string): boolean => {
  try {
    return Intl.getCanonicalLocales(code)[0] === code && code.length <= 35
  } catch {
    return false
  }
}

function readWords(root: string): Map<string, Messages> {
  return new Map(
    filesIn(root, 'words').map((file) => {
      const name = join('words', file)
      const language = /^(.+)\.json$/.exec(file)?.[1] ?? ''
      if (!isLanguage(language)) wrong(`${name} is not named like words/pt-BR.json, by a language of BCP 47`)
      return [language, messagesOf(name, language, textOf(root, name, mostBytes.words) ?? wrong(`cannot read ${name}`))]
    }),
  )
}

function messagesOf(name: string, language: string, text: string): Messages {
  const read = parsed(name, text)
  for (const [key, message] of Object.entries(read)) {
    if (!Object.hasOwn(english, key)) wrong(`${name}: unknown key ${key}`)
    if (typeof message !== 'string') wrong(`${name}: ${key}: expected a text`)
    let stranger: string | undefined
    try {
      stranger = strangerIn(message, language, english[key as Key])
    } catch (error) {
      wrong(`${name}: ${key}: ${(error as Error).message}`)
    }
    if (stranger !== undefined) wrong(`${name}: ${key}: ${stranger}`)
  }
  return read as Messages
}

function parsed(name: string, text: string): object {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return wrong(`${name} is not JSON`)
  }
  return typeof read === 'object' && read !== null && !Array.isArray(read)
    ? read
    : wrong(`${name}: expected an object of keys and texts`)
}

function readStyle(root: string): Buffer | undefined {
  const text = textOf(root, 'style.css', mostBytes.style)
  return text === undefined ? undefined : Buffer.from(`@layer own {\n${text}\n}\n`)
}

function readPages(root: string): CustomPage[] {
  const bySlug = new Map<string, Map<string, CustomText>>()
  for (const file of filesIn(root, 'pages')) {
    const name = join('pages', file)
    const [, slug = '', language = ''] = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:\.([A-Za-z0-9-]+))?\.md$/.exec(file) ?? []
    if (slug === '' || slug.length > 60 || (language !== '' && !isLanguage(language))) {
      wrong(`${name} is not named like pages/about-us.md or pages/about-us.ru.md`)
    }
    const texts = bySlug.get(slug) ?? new Map<string, CustomText>()
    const text = pageOf(name, textOf(root, name, mostBytes.page) ?? wrong(`cannot read ${name}`))
    texts.set(language, language === '' ? text : { ...text, language })
    bySlug.set(slug, texts)
  }
  if (bySlug.size > mostPages) wrong(`there are more than ${mostPages} pages`)
  return [...bySlug].map(([slug, texts]) => {
    const text =
      texts.get('') ?? wrong(`there is no ${join('pages', `${slug}.md`)} for the languages that have none of their own`)
    texts.delete('')
    return { slug, text, byLanguage: texts }
  })
}

function pageOf(name: string, text: string): CustomText {
  const [whole = '', title] = /^# ([^\r\n]*\S)[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  if (title === undefined) return wrong(`${name} must begin with a line "# Title"`)
  const body = text.slice(whole.length)
  // A page has one title: its sections are of the second level.
  if (render(markdown(body, { topLevel: 1 })).includes('<h1'))
    wrong(`${name} has a second line "# …": use ## for sections`)
  return { title, body }
}
