// Canonical time: what the service accepts as a moment. docs/contract/representation.md#times.

const iso = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-](\d{2})(?::?(\d{2}))?)$/i

/**
 * An ISO 8601 time with a zone; undefined if it is malformed, names a day that does not exist, or lies beyond 9999 in
 * UTC.
 */
export function parseTime(text: string): Date | undefined {
  const match = iso.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '0', , zoneHour = '0', zoneMinute = '0'] = match
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > daysInMonth) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined
  // JavaScript reads an offset with minutes and a colon alone.
  const withZone = text
    .toUpperCase()
    .replace(/([+-]\d{2}):?(\d{2})?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)
  const time = new Date(withZone)
  return time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9999 ? time : undefined
}
