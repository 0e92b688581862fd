// How large and how long things are, in the units of a language, as a region writes them.

interface Formats {
  kilobytes: Intl.NumberFormat
  megabytes: Intl.NumberFormat
  duration: Intl.DurationFormat
}

/** By locale: as many as there are words of. */
const known = new Map<string, Formats>()

function formatsOf(locale: string): Formats {
  const made = known.get(locale)
  if (made) return made
  const size = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 3 })
  const formats = {
    kilobytes: size('kilobyte'),
    megabytes: size('megabyte'),
    duration: new Intl.DurationFormat(locale, { style: 'short' }),
  }
  known.set(locale, formats)
  return formats
}

/** `3.4 MB`; a kilobyte at least. */
export function sizeIn(locale: string, bytes: number): string {
  const { kilobytes, megabytes } = formatsOf(locale)
  // What would be rounded to a thousand of one unit is one of the next.
  return bytes < 999_500 ? kilobytes.format(Math.max(1, bytes / 1000)) : megabytes.format(bytes / 1_000_000)
}

/** `1:05`, as players show it; what is shorter than a second is one. */
export function clockOf(milliseconds: number): string {
  const all = Math.max(1, Math.round(milliseconds / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  const two = (count: number): string => String(count).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}

/** `1 min, 5 sec`; what is shorter than a second is one. */
export function durationIn(locale: string, milliseconds: number): string {
  const all = Math.max(1, Math.round(milliseconds / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  return formatsOf(locale).duration.format({ hours, minutes, seconds })
}
