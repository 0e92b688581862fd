// Text that the letters of share pictures can show. docs/contract/site.md#share-pictures.

/** Whether a font has a letter for a code point: from its character map (OpenType 1.9, `cmap`, format 12). */
export function lettersOf(font: Buffer): (codePoint: number) => boolean {
  const tables = font.readUInt16BE(4)
  const table = Array.from({ length: tables }, (_, at) => 12 + 16 * at).find(
    (at) => font.toString('latin1', at, at + 4) === 'cmap',
  )
  if (table === undefined) throw new Error('a font without a character map')
  const map = font.readUInt32BE(table + 8)
  const subtable = Array.from(
    { length: font.readUInt16BE(map + 2) },
    (_, at) => map + font.readUInt32BE(map + 8 + 8 * at),
  ).find((at) => font.readUInt16BE(at) === 12)
  if (subtable === undefined) throw new Error('a font without a character map of all code points')
  const known = new Set<number>()
  for (let group = 0; group < font.readUInt32BE(subtable + 12); group++) {
    const at = subtable + 16 + 12 * group
    for (let point = font.readUInt32BE(at); point <= font.readUInt32BE(at + 4); point++) known.add(point)
  }
  return (codePoint) => known.has(codePoint)
}

/** More of a text fits into no picture. */
const mostPoints = 300
/** Marks on one letter; more of them climb out of their line. */
const stacked = /(\p{M}{2})\p{M}+/gu

/** Without which a text says something else: letters, digits, currencies and operators; arrows and shapes may be decoration. */
const meant = /[\p{L}\p{N}\p{Sc}\u2200-\u22ff\u2308-\u230b\u27c0-\u27ef\u2980-\u2aff]/u

/**
 * What can be shown of a text, in one line: without emoji, controls and changes of direction. Undefined if a letter of it cannot be
 * shown: then none of it is.
 */
export function shownOf(text: string, has: (codePoint: number) => boolean): string | undefined {
  const isLost = (point: string): boolean => !has(point.codePointAt(0) as number)
  // Beyond that nothing is looked at, however long it is.
  const whole = [
    ...text
      .slice(0, 8 * mostPoints)
      .normalize('NFC')
      .replace(stacked, '$1'),
  ]
  // Only what has no letter of its own is written in plain ones: 10² is not 102.
  const points = whole.flatMap((point) => (isLost(point) ? [...point.normalize('NFKC')] : [point]))
  if (points.some((point) => meant.test(point) && isLost(point))) return undefined
  const shown = points
    .filter((point) => /\s/.test(point) || (!/[\p{C}\p{Z}]/u.test(point) && !isLost(point)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
  const cut = [...shown].slice(0, mostPoints).join('')
  return /[^\s\p{M}]/u.test(cut) ? cut : undefined
}
