// Times as people write and read them.
import type { FolderClient } from '@kith/sdk/identity'
import { usage } from './exit.ts'
import { line } from './safe.ts'

/** A time of the service, to the minute. */
export const time = (text: string): string => line(`${text.slice(0, 16).replace('T', ' ')} UTC`)

/** What a time on the command line may be, for its help. */
export const times = '3d, 12h or 90m (by the server’s clock), or an ISO time'

const unitMs = { m: 60_000, h: 3600_000, d: 86_400_000 } as const

/**
 * A time from now, such as 3d, 12h or 90m, or an ISO time with its zone, as ISO in UTC; now is the service's, which judges it.
 * `flag` is named in the refusal.
 */
export function timeOf(text: string, flag: string): (client: Pick<FolderClient, 'now'>) => Promise<string> {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const ms = number ? Number(number) * unitMs[unit as keyof typeof unitMs] : Date.parse(text)
  if (Number.isNaN(ms) || (!number && !/(Z|[+-]\d\d:?\d\d)$/i.test(text)))
    throw usage(`${flag} must be a time from now, such as 3d, 12h or 90m, or an ISO time with its time zone`)
  return async (client) => new Date(number ? (await client.now()) + ms : ms).toISOString()
}

/** A time span of a command line, such as 3d, in seconds. */
export function secondsOf(text: string, flag: string): number {
  const [, number, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  if (!number) throw usage(`${flag} must be a time such as 3d, 12h or 90m`)
  return (Number(number) * unitMs[unit as keyof typeof unitMs]) / 1000
}

/** Seconds as people say them. */
export function durationText(seconds: number): string {
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    const count = Math.round(seconds / size)
    if (seconds >= size) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return `${seconds} seconds`
}
