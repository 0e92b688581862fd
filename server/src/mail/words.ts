// What emails are put together from: the words of their reader's language, in lines that arrive unbroken.

/** The messages of one language. The catalogue of the pages has them, under keys that begin with `mail.`. */
export interface MailWords {
  /** BCP 47. */
  readonly language: string
  text(key: string, values?: Readonly<Record<string, string | number>>): string
}

/** The words for a reader of these languages, the preferred one first; English if none of them is available. */
export type Speak = (languages: readonly string[]) => MailWords

export interface MailText {
  subject: string
  body: string
}

const width = 75

/** A paragraph in lines; a word that is longer has a line of its own. Lines after the first are set off by `indent`. */
export function wrapped(paragraph: string, indent = ''): string[] {
  const lines: string[] = []
  for (const word of paragraph.split(/[ \n]+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(lines.length === 0 ? word : indent + word)
  }
  return lines
}

/** What an email says: a text is a paragraph of its own, a list the lines of one. */
export const bodyOf = (parts: readonly (string | readonly string[])[]): string =>
  `${parts.map((part) => (typeof part === 'string' ? wrapped(part) : part).join('\n')).join('\n\n')}\n`

/** A link that stands on a line of its own, below what it is called: in HTML its label alone is shown. */
export const labelled = (label: string, url: string): string[] => [`${label}:`, url]

/** The server that sends an email. */
export interface Place {
  publicUrl: string
  /** What the operator calls it. */
  name: string
}

export const hostOf = ({ publicUrl }: Place): string => new URL(publicUrl).host

/** The link to the server, called by its host, which a reader has to see; one that is too long for a line is only the link. */
export function siteLink(words: MailWords, { publicUrl }: Pick<Place, 'publicUrl'>): string[] {
  const lines = labelled(words.text('mail.open', { host: new URL(publicUrl).host }), publicUrl)
  return lines.filter((line) => line === publicUrl || line.length <= width)
}

/** How every email ends. */
export const foot = (words: MailWords, { name, publicUrl }: Place): string[] => [
  ...wrapped(words.text('mail.foot', { name })),
  ...siteLink(words, { publicUrl }),
]
