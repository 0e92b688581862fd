// The history of the run as one order of writes: versions of everything, and lines of all wallets.
import type { Told } from './check-orders.ts'
import type { Entry } from './check-wallets.ts'
import { versionKey, type Write } from './ledger.ts'
import { contradiction, type Happened } from './serial.ts'
import { ensure } from './violation.ts'
import type { World } from './world.ts'

interface Step extends Happened {
  /** What it changed, and to which version: `order/3`. */
  keys: string[]
  write: Write | undefined
}

/** Holds all acknowledged writes against each other; gives how many there are. */
export function checkSerial(
  world: World,
  orders: ReadonlyMap<string, Told>,
  wallets: ReadonlyMap<string, readonly Entry[]>,
): number {
  const byKey = new Map<string, Step>()
  const byWrite = new Map<Write, Step>()
  const stepOf = (key: string, write: Write | undefined): Step => {
    const known = byKey.get(key) ?? (write && byWrite.get(write))
    const step = known ?? {
      keys: [],
      write,
      sent: write?.attempts[0]?.sent ?? 0,
      acknowledged: write?.acknowledgedAt ?? Number.POSITIVE_INFINITY,
    }
    if (!step.keys.includes(key)) step.keys.push(key)
    byKey.set(key, step)
    if (write) byWrite.set(write, step)
    return step
  }
  for (const write of world.ledger.writes) {
    if (write.state === 'acknowledged' && write.makes && write.made) stepOf(versionKey(write.made, 1), write)
  }
  const versions = new Map<string, [version: number, step: Step][]>()
  const note = (id: string, version: number, step: Step): void => {
    versions.set(id, [...(versions.get(id) ?? []), [version, step]])
  }
  for (const { id, lines } of orders.values()) {
    for (const { version } of lines) {
      const key = versionKey(id, version)
      note(id, version, stepOf(key, world.ledger.byVersion.get(key)))
    }
  }
  for (const [key, write] of world.ledger.byVersion) {
    const [id, version] = key.split('/') as [string, string]
    if (!orders.has(id)) note(id, Number(version), stepOf(key, write))
  }
  const chains = [...versions.values()].map((chain) => chain.sort(([a], [b]) => a - b).map(([, step]) => step))
  for (const entries of wallets.values()) {
    chains.push(
      entries.flatMap(({ kind, order_id: id }) => {
        const order = id === null ? undefined : orders.get(id)
        const version = order && movedAt(order, kind)
        const step = version === undefined ? undefined : byKey.get(versionKey(order?.id as string, version))
        return step ? [step] : []
      }),
    )
  }
  const circle = contradiction(chains)
  ensure(circle === undefined, 'no order of the writes explains what everybody saw', ...(circle ?? []))
  return byWrite.size
}

/** The version of an order that moved its credits so: reserved, or given back or on. */
const movedAt = ({ lines }: Told, kind: string): number | undefined =>
  lines.find(({ from, to, action }) =>
    kind === 'reserve'
      ? to === 'funded' && from !== 'disputed'
        ? true
        : action === 'purchase'
      : to === 'closed' && from !== 'closed',
  )?.version
