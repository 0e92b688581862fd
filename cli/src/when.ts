// Times as people write and read them.
import { usage } from './exit.ts'
import { line } from './safe.ts'

/** A time of the service, to the minute. */
export const time = (text: string): string => line(`${text.slice(0, 16).replace('T', ' ')} UTC`)

const unitMs = { m: 60_000, h: 3600_000, d: 86_400_000 } as const

/** A time from `from`, such as 3d, 12h or 90m, or an ISO time with its zone; ISO in UTC. `flag` is named in the refusal. */
export function timeOf(text: string, from: number, flag: string): string {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = number ? from + Number(number) * unitMs[unit as keyof typeof unitMs] : Date.parse(text)
  if (Number.isNaN(at) || (!number && !/(Z|[+-]\d\d:?\d\d)$/i.test(text)))
    throw usage(`${flag} is a time from now, such as 3d, 12h or 90m, or an ISO time with its zone`)
  return new Date(at).toISOString()
}
