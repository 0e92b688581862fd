// How many orders of this server were completed, for everyone to read: counted now and then, and only so far.
import { after, minutes } from '../../kernel/clock.ts'
import { perService } from '../../service.ts'
import { only } from '../../store/sql.ts'

/** Beyond so many the number says no more. */
const mostCounted = 100_000
const countedFor = minutes(10)

/** The number of a moment ago, counted once however many ask at a time. */
export const completedOrders = perService(({ sql, clock }) => {
  let known: { total: Promise<number>; until: Date } | undefined
  const count = async (): Promise<number> =>
    only(
      await sql<{ total: number }>`
        select count(*)::int as total from (select 1 from orders where outcome = 'accepted' limit ${mostCounted}) o`,
    ).total
  return (): Promise<number> => {
    const now = clock.now()
    if (known && now < known.until) return known.total
    const counted = { total: count(), until: after(now, countedFor) }
    known = counted
    counted.total.catch(() => {
      if (known === counted) known = undefined
    })
    return counted.total
  }
})
