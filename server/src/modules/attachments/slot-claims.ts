// Who waits for an inspection, told to all nodes: rows beside the leases, which outlive no node by more than ten seconds.
// docs/contract/attachments.md
import { after, seconds } from '../../kernel/clock.ts'
import { safeError } from '../../log.ts'
import type { Service } from '../../service.ts'

/** Which inspections do not wait for each other. */
export type Lane = 'short' | 'long'

/** Claims for short inspections have this number or a higher one, those for long ones its negative or a lower one. */
export const firstClaim = 3
const claimNumbers = 32_000

const claimTime = seconds(10)
const tellEvery = 200

/** Two agents of one number are taken for one: then only the first is known to wait. */
function claimOf(ownerId: string, lane: Lane): number {
  const number = firstClaim + (Number.parseInt(ownerId.slice(-8), 16) % claimNumbers)
  return lane === 'short' ? number : -number
}

interface Claim {
  ownerId: string
  jobs: number
  isTold?: boolean
}

interface Claims {
  /** Whoever waits no longer than a moment is never told of. What it gives ends the claim. */
  begin(ownerId: string, lane: Lane): () => Promise<void>
}

export function createClaims({ sql, clock, log }: Service): Claims {
  const claims = new Map<number, Claim>()
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> = Promise.resolve()

  /** Repeatedly, because an agent may wait at several nodes, and one of them ends the claim. */
  async function tell(): Promise<void> {
    const now = clock.now()
    const told = [...claims]
    const numbers = told.map(([slot]) => slot)
    const owners = told.map(([, { ownerId }]) => ownerId)
    await sql`
      with gone as (
        delete from inspections
        where abs(slot) >= ${firstClaim} and expires_at <= ${now} and slot <> all (${numbers}::smallint[]))
      insert into inspections (slot, node_id, expires_at)
      select c.slot, c.owner_id, ${after(now, claimTime)}
      from unnest(${numbers}::smallint[], ${owners}::uuid[]) as c (slot, owner_id)
      order by c.slot
      on conflict (slot) do update set node_id = excluded.node_id, expires_at = excluded.expires_at
      where inspections.expires_at <= ${now} or inspections.node_id = excluded.node_id`
    for (const [, claim] of told) claim.isTold = true
  }

  async function end(slot: number, claim: Claim): Promise<void> {
    if (claim.jobs > 0 || claims.get(slot) !== claim) return
    claims.delete(slot)
    if (claims.size === 0) timer = void clearInterval(timer)
    if (claim.isTold) await sql`delete from inspections where slot = ${slot} and node_id = ${claim.ownerId}`
  }

  /** One after another, so that none is reported after its end. */
  function inTurn(work: () => Promise<unknown>): Promise<void> {
    telling = telling.then(work).then(
      () => {},
      (error) => log.debug({ error: safeError(error) }, 'other nodes were not told who waits for an inspection'),
    )
    return telling
  }

  return {
    begin(ownerId, lane) {
      const slot = claimOf(ownerId, lane)
      const claim = claims.get(slot) ?? { ownerId, jobs: 0 }
      claims.set(slot, claim)
      claim.jobs++
      timer ??= setInterval(() => void inTurn(tell), tellEvery)
      return () => {
        claim.jobs--
        return inTurn(() => end(slot, claim))
      }
    },
  }
}
