// Numbers as a person reads them: credits, durations.

export const credits = (minor: number): string => `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`

const millisecondsOf = (moment: Date | string): number => new Date(moment).getTime()

/** How long ago a moment was. */
export const age = (moment: Date | string | null, now: Date): string =>
  moment === null ? '-' : duration(now.getTime() - millisecondsOf(moment))

export function until(moment: Date | string | null, now: Date): string {
  if (moment === null) return '-'
  const left = millisecondsOf(moment) - now.getTime()
  return left <= 0 ? 'now' : `in ${duration(left)}`
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
