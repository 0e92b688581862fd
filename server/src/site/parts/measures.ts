// How large and how long things are, in the units of a language.

const units = ['byte', 'kilobyte', 'megabyte'] as const
type Unit = (typeof units)[number]

interface Formats {
  sizes: Record<Unit, Intl.NumberFormat>
  duration: Intl.DurationFormat
}

const known = new Map<string, Formats>()

function formatsOf(language: string): Formats {
  const made = known.get(language)
  if (made) return made
  const size = (unit: Unit): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 3 })
  const formats = {
    sizes: { byte: size('byte'), kilobyte: size('kilobyte'), megabyte: size('megabyte') },
    duration: new Intl.DurationFormat(language, { style: 'short' }),
  }
  known.set(language, formats)
  return formats
}

/** `3.4 MB`. */
export function sizeIn(language: string, bytes: number): string {
  // One that would be rounded to a thousand is one of the next unit.
  const unit = bytes < 999.5 ? 0 : bytes < 999_500 ? 1 : 2
  return formatsOf(language).sizes[units[unit] as Unit].format(bytes / 1000 ** unit)
}

/** `1 min, 5 sec`; what is shorter than a second is one. */
export function durationIn(language: string, milliseconds: number): string {
  const all = Math.max(1, Math.round(milliseconds / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  return formatsOf(language).duration.format({ hours, minutes, seconds })
}
