// All words of the pages, by key, in the language of the reader: ICU messages, with dates, numbers and credits as the reader's
// region writes them in it. The texts are words/<language>.json; what a language lacks is said in English. docs/site.md.
import { IntlMessageFormat } from 'intl-messageformat'
import Negotiator from 'negotiator'
import { type Clock, days, hours, minutes, systemClock } from '../kernel/clock.ts'
import { type HtmlPart, html } from './html.ts'
import { regionalOf } from './regions.ts'
import english from './words/en.json' with { type: 'json' }
import russian from './words/ru.json' with { type: 'json' }

export { english }

export type Key = keyof typeof english

/** What a message is filled with; a function gets what stands between the tags of its name. */
export type Value = HtmlPart | ((inner: HtmlPart) => HtmlPart)

export interface Words {
  /** BCP 47. */
  readonly language: string
  /** The same, with the reader's region where it is known: how numbers and dates are written. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  /** A message as a piece of a page: everything in it is escaped, but for what is HTML already. */
  (key: Key, values?: Readonly<Record<string, Value>>): HtmlPart
  /** A message as text, for attributes and titles. */
  text(key: Key, values?: Readonly<Record<string, string | number>>): string
  number(value: number): string
  /** A moment as a day, with the exact one in its title. */
  day(moment: Date | string): HtmlPart
  /** A moment to the minute, in UTC: a deadline, or a line of a log. */
  moment(moment: Date | string): HtmlPart
  /** How long ago a moment was, in tens of minutes, hours or days; after a month its day. The exact moment is its title. */
  ago(moment: Date | string): HtmlPart
  /** A text that says when a moment is, with the exact one in its title. */
  timed(moment: Date | string, text: string): HtmlPart
  /** Minor units as test credits: `12.50 test credits`. */
  credits(minor: number): string
  /** The name of a language in this one, of BCP 47; the code where it has none. */
  nameOf(language: string): string
}

export type Messages = Partial<Readonly<Record<Key, string>>>

export interface Catalogue {
  /** Each with its own name for itself, in the order in which they are offered. */
  readonly languages: readonly { code: string; name: string }[]
  has(language: string): boolean
  /**
   * The words of the first of these languages that there are words of; English if there is none. Numbers and dates are as in
   * the first region that is named with that language.
   */
  of(languages: readonly string[]): Words
}

/** Regions whose formats are kept, over all languages: those that many readers are of stay. */
const mostRegions = 16

export const shippedLanguages: Readonly<Record<string, Messages>> = { en: english, ru: russian }

/** Throws where a message of the operator's is malformed, naming language and key. The clock says what is ago. */
export function createCatalogue(languages: Readonly<Record<string, Messages>>, clock: Clock = systemClock): Catalogue {
  const fallback = { ...english, ...languages['en'] }
  const speakers = new Map(
    Object.entries(languages).map(([code, messages]) => [code, speakerOf(code, messages, fallback, clock)]),
  )
  const words = new Map([...speakers].map(([code, speak]) => [code, speak(code)]))
  const codes = [...words.keys()]
  /** By locale, the one that was last asked for at the end. */
  const regional = new Map<string, Words>()
  const inRegion = (code: string, locale: string): Words => {
    const found = regional.get(locale) ?? (speakers.get(code) as Speaker)(locale)
    regional.delete(locale)
    regional.set(locale, found)
    if (regional.size > mostRegions) regional.delete([...regional.keys()][0] as string)
    return found
  }
  return {
    languages: [...words.values()].map(({ language, nameOf }) => ({ code: language, name: nameOf(language) })),
    has: (language) => words.has(language),
    of(wanted) {
      const header = wanted.map((language, at) => `${language};q=${(1 - at / 1000).toFixed(3)}`).join(',')
      const [code = 'en'] =
        wanted.length === 0 ? [] : new Negotiator({ headers: { 'accept-language': header } }).languages(codes)
      const locale = regionalOf(code, wanted)
      return locale === code ? (words.get(code) as Words) : inRegion(code, locale)
    },
  }
}

/** Scripts of living languages that run from right to left, by ISO 15924. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi'])

const directionOf = (language: string): Words['direction'] =>
  rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'

type Speaker = (locale: string) => Words

/** Throws where a message that is not shipped is malformed; what all locales of a language share is made once. */
function speakerOf(
  language: string,
  messages: Messages,
  fallback: Readonly<Record<Key, string>>,
  clock: Clock,
): Speaker {
  const formats = new Map<Key, string | IntlMessageFormat>()
  const formatOf = (key: Key): string | IntlMessageFormat => {
    const own = messages[key]
    const made = formats.get(key) ?? compiled(own === undefined ? 'en' : language, key, own ?? fallback[key])
    formats.set(key, made)
    return made
  }
  // A start does not wait for what is shipped: its tests do.
  const shipped = shippedLanguages[language]
  for (const key of Object.keys(messages) as Key[]) if (messages[key] !== shipped?.[key]) formatOf(key)
  const direction = directionOf(language)
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' })
  return (locale) => {
    const isOwn = (key: Key): boolean => locale !== language && messages[key] !== undefined
    const regional = new Map<Key, IntlMessageFormat>()
    const inLocale = (key: Key, format: IntlMessageFormat): IntlMessageFormat => {
      const made = regional.get(key) ?? new IntlMessageFormat(format.getAst(), locale)
      regional.set(key, made)
      return made
    }
    const say = (key: Key, values?: Readonly<Record<string, Value>>): HtmlPart => {
      const format = formatOf(key)
      if (typeof format === 'string') return format
      const spoken = isOwn(key) ? inLocale(key, format) : format
      return spoken.format<HtmlPart>(values as Record<string, string>) as HtmlPart
    }
    const text: Words['text'] = (key, values) => String(say(key, values))
    const nameOf = (code: string): string => nameIn(names, code)
    return Object.assign(say, { language, locale, direction, text, nameOf, ...writingOf(locale, text, clock) })
  }
}

/** After so long a day says more than how long ago it was. */
const longAgo = days(30)

/** How numbers, dates and credits are written. */
function writingOf(
  locale: string,
  text: Words['text'],
  clock: Clock,
): Pick<Words, 'number' | 'day' | 'moment' | 'ago' | 'timed' | 'credits'> {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(locale)
  const number = new Intl.NumberFormat(locale)
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  /** The Russian "г." never begins a line. */
  const written = (format: Intl.DateTimeFormat, at: Date): string => format.format(at).replace(' г.', '\u00a0г.')
  const exact = (at: Date): string => `${written(moment, at)} UTC`
  const timed = (given: Date | string, said: string): HtmlPart => {
    const at = new Date(given)
    return html`<time datetime="${at.toISOString()}" title="${exact(at)}">${said}</time>`
  }
  const since = (at: Date): string => {
    const passed = clock.now().getTime() - at.getTime()
    // In coarse steps: a public page keeps its tag meanwhile.
    if (passed < minutes(10)) return text('time.recent')
    if (passed < hours(1)) return relative.format(-10 * Math.floor(passed / minutes(10)), 'minute')
    if (passed >= longAgo) return written(day, at)
    return passed < days(1)
      ? relative.format(-Math.floor(passed / hours(1)), 'hour')
      : relative.format(-Math.floor(passed / days(1)), 'day')
  }
  return {
    number: (value) => number.format(value),
    day: (given) => timed(given, written(day, new Date(given))),
    moment: (given) => html`<time datetime="${new Date(given).toISOString()}">${exact(new Date(given))}</time>`,
    ago: (given) => timed(given, since(new Date(given))),
    timed,
    credits: (minor) => text('credits', { amount: amount.format(minor / 100), value: minor / 100 }),
  }
}

function nameIn(names: Intl.DisplayNames, code: string): string {
  try {
    const name = names.of(code) ?? code
    return name.charAt(0).toLocaleUpperCase() + name.slice(1)
  } catch {
    return code
  }
}

/** A message without arguments is its own text. */
function compiled(language: string, key: Key, text: string): string | IntlMessageFormat {
  try {
    const format = new IntlMessageFormat(text, language)
    return format.getAst().every(({ type }) => type === 0) ? String(format.format()) : format
  } catch (error) {
    throw new Error(`${language}: ${key}: ${(error as Error).message}`)
  }
}
