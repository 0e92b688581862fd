// Names of the environment that were meant to be settings. One that is passed over would be worse than a start that stops: but nothing
// may stop it that machines, containers and shells set for everybody.
import { slips } from './kernel/nearest.ts'

/** What container platforms tell of other services by their names: one called `metrics` makes a `METRICS_PORT`. */
const linkName = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|ENV_\w+)$/
const linkAddress = /^(tcp|udp|sctp):\/\//

/** Whether a variable is the address of another service, which nobody wrote as a setting. */
export const isServiceLink = (name: string, value = ''): boolean =>
  linkName.test(name) ||
  (/_PORT$/.test(name) && linkAddress.test(value)) ||
  (/_NAME$/.test(name) && /^\/[\w.-]+\/[\w.-]+$/.test(value))

export interface Names {
  known: ReadonlySet<string>
  /** Beginnings that are of this service alone. */
  guarded: readonly string[]
}

/** The one line about the first name that cannot have been meant; undefined if all is well. */
export function misspelt(env: Readonly<Record<string, string | undefined>>, names: Names): string | undefined {
  for (const [name, value] of Object.entries(env)) {
    if (names.known.has(name) || isServiceLink(name, value)) continue
    const isGuarded = names.guarded.some((prefix) => name.startsWith(prefix))
    const nearest = nearestOf(name, names.known, isGuarded ? 2 : 1)
    if (nearest !== undefined) return `Unknown setting ${name}: did you mean ${nearest}?`
    if (isGuarded) return `Unknown setting ${name}`
  }
  return undefined
}

/** Shorter names have neighbours that are words of their own: `POST`, `PORTS`, `HOSTS`. Of them only two letters change places. */
const shortest = 6

function nearestOf(name: string, known: ReadonlySet<string>, most: number): string | undefined {
  let nearest: string | undefined
  let least = most + 1
  for (const each of known) {
    if (Math.abs(each.length - name.length) >= least) continue
    if (each.length < shortest && !isSwapped(name, each)) continue
    const distance = slips(name, each)
    if (distance >= least) continue
    least = distance
    nearest = each
  }
  return nearest
}

const isSwapped = (name: string, known: string): boolean =>
  name.length === known.length && slips(name, known) === 1 && [...name].sort().join('') === [...known].sort().join('')
