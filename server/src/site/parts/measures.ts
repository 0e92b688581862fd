// How large and how long things are, in the units of a language.

interface Formats {
  kilobytes: Intl.NumberFormat
  megabytes: Intl.NumberFormat
  duration: Intl.DurationFormat
}

const known = new Map<string, Formats>()

function formatsOf(language: string): Formats {
  const made = known.get(language)
  if (made) return made
  const size = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 3 })
  const formats = {
    kilobytes: size('kilobyte'),
    megabytes: size('megabyte'),
    duration: new Intl.DurationFormat(language, { style: 'short' }),
  }
  known.set(language, formats)
  return formats
}

/** `3.4 MB`; a kilobyte at least. */
export function sizeIn(language: string, bytes: number): string {
  const { kilobytes, megabytes } = formatsOf(language)
  // What would be rounded to a thousand of one unit is one of the next.
  return bytes < 999_500 ? kilobytes.format(Math.max(1, bytes / 1000)) : megabytes.format(bytes / 1_000_000)
}

/** `1 min, 5 sec`; what is shorter than a second is one. */
export function durationIn(language: string, milliseconds: number): string {
  const all = Math.max(1, Math.round(milliseconds / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  return formatsOf(language).duration.format({ hours, minutes, seconds })
}
