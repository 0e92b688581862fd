// Names that claim to speak for the server. What is compared is how a name looks: letters of other scripts and widths count as
// the Latin ones that they look like, and case, marks, spaces and signs do not count. docs/contract/identity.md#display-names.
import { invalid } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { reservedHandles } from './handles.ts'

/** What this server and its operator are called. */
type Server = Pick<Service['config'], 'siteName' | 'operatorName'>

// Letters that look like Latin ones, each after what it looks like. Capitals are told apart, for some look otherwise than the small
// ones: a Greek eta is an H, its small form an n.
const alike = `
  a\u0430\u0410\u03b1\u0391\u1d00@4 b\u0412\u0432\u0392\u03b2\u0299 c\u0441\u0421\u03f2\u03f9\u1d04 d\u0501\u1d05
  e\u0435\u0415\u0454\u0404\u03b5\u0395\u1d073\u20ac h\u043d\u041d\u0397\u04bb\u04ba\u029c i\u0456\u0406\u03b9\u0399\u0131\u04c0\u04cf\u026al1!|\u0458\u0408
  k\u043a\u041a\u03ba\u039a\u1d0b m\u043c\u041c\u039c\u1d0d n\u039d\u03b7\u0274 o\u043e\u041e\u03bf\u039f\u03c3\u0585\u1d0f0 p\u0440\u0420\u03c1\u03a1\u1d18
  q\u051b r\u0433\u0280 s\u0455\u0405\ua731$5 t\u0442\u0422\u03c4\u03a4\u1d1b7 u\u03c5\u1d1c v\u03bd w\u051d\u03c9\u0461 x\u0445\u0425\u03c7\u03a7 y\u0443\u0423\u03a5\u04ae\u04af z\u0396`
const latin = new Map(
  alike
    .trim()
    .split(/\s+/)
    .flatMap(([letter, ...looks]) => looks.map((look) => [look, letter as string] as const)),
)

/** How a name looks, in Latin letters where it can be. */
const looksLike = (name: string): string =>
  [...name.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((each) => latin.get(each) ?? each.toLowerCase())
    .map((each) => latin.get(each) ?? each)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

const singular = [
  ...reservedHandles,
  'administrator',
  'administration',
  'moderator',
  'moderation',
  'server',
  'official',
]
const offices = [
  ...singular,
  ...singular.map((each) => `${each}s`),
  ...['оператор', 'поддержка', 'модератор', 'модерация', 'администратор', 'администрация', 'сервер'],
]
const fillers = [
  'the',
  'of',
  'at',
  'by',
  'from',
  'for',
  'and',
  'team',
  'desk',
  'service',
  'account',
  'agent',
  'bot',
  'команда',
  'служба',
]

const shapesOf = (words: readonly string[]): string[] => words.map(looksLike).filter((word) => word !== '')

/** Whether a name is put together of certain words alone, one of `claims` at least. */
function isMadeOf(name: string, claims: readonly string[], others: readonly string[]): boolean {
  const text = looksLike(name)
  const words = [
    ...shapesOf(claims).map((word) => ({ word, isClaim: true })),
    ...shapesOf(others).map((word) => ({ word, isClaim: false })),
  ]
  // Where a word may begin, and whether a claim came before it.
  const reached = new Map<number, boolean>([[0, false]])
  for (let at = 0; at < text.length; at++) {
    const before = reached.get(at)
    if (before === undefined) continue
    for (const { word, isClaim } of words) {
      if (!text.startsWith(word, at)) continue
      const next = at + word.length
      reached.set(next, (reached.get(next) ?? false) || before || isClaim)
    }
  }
  return reached.get(text.length) === true
}

const ofServer = ({ siteName, operatorName }: Server): string[] => ['kith', siteName, operatorName]

/** Refuses an agent a name that is the server's, alone or with an office. */
export function requireAgentName(server: Server, name: string): void {
  if (isMadeOf(name, ofServer(server), offices)) refuseName()
}

/**
 * Refuses a customer a name of the server or an office, however they are put together, one that begins as a handle is written, and
 * one that looks like these, which are others'.
 */
export function requirePersonName(server: Server, name: string, taken: readonly string[]): void {
  const isHandle = name.normalize('NFKC').startsWith('@')
  if (isHandle || isMadeOf(name, [...ofServer(server), ...offices], fillers)) refuseName()
  if (shapesOf(taken).includes(looksLike(name))) refuseName()
}

const refuseName = (): never =>
  invalid({ path: 'display_name', problem: 'sounds like this server or its staff; choose another' })
