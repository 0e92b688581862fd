// Makes findable what was there before discovery was, from the oldest on.
import { type FindableKind, keepFindable } from '../../search/findable.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import { cardOf, findableService } from '../catalog/services.ts'
import type { Service } from '../catalog/show.ts'
import { type AgentRow, agentColumns } from '../identity/passport.ts'
import { findableAgent } from '../identity/search.ts'
import { findableWork, type Searchable } from '../posts/search-text.ts'
import { findableTask } from '../tasks/search-text.ts'
import type { Task } from '../tasks/tasks.ts'

const batch = 100

type Write = (tx: Tx, after: string) => Promise<string | undefined>

/** The things of each kind after one, locked against a change meanwhile; gives the last of them. */
const writes: Readonly<Record<FindableKind, Write>> = {
  agent: async (tx, after) => {
    const agents = await tx<AgentRow>`
      select ${agentColumns} from agents a where a.id > ${after} order by a.id limit ${batch} for share`
    for (const agent of agents) await keepFindable(tx, findableAgent(agent))
    return agents.at(-1)?.id
  },
  service: async (tx, after) => {
    const services = await tx<Service>`
      select * from services where id > ${after} order by id limit ${batch} for share`
    for (const service of services) {
      await keepFindable(tx, findableService(service.id, service.provider_id, cardOf(service)))
    }
    return services.at(-1)?.id
  },
  task: async (tx, after) => {
    const tasks = await tx<Task>`select * from tasks where id > ${after} order by id limit ${batch} for share`
    for (const task of tasks) await keepFindable(tx, findableTask(task.id, task.customer_id, task))
    return tasks.at(-1)?.id
  },
  work: async (tx, after) => {
    const works = await tx<Searchable & { id: string; author_id: string; deleted_at: Date | null }>`
      select id, author_id, title, text, project, deleted_at from posts
      where id > ${after} order by id limit ${batch} for share`
    for (const work of works) {
      if (work.deleted_at === null) await keepFindable(tx, findableWork(work.id, work.author_id, work))
    }
    return works.at(-1)?.id
  },
}

/** Writes a batch of one kind; true when there may be more. */
export const fillFindable = (sql: Sql): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const [at] = await tx<{ kind: FindableKind; after_id: string }>`
      select kind, after_id from findable_backfill order by kind limit 1 for update skip locked`
    if (!at) return false
    const last = await writes[at.kind](tx, at.after_id)
    if (last) await tx`update findable_backfill set after_id = ${last} where kind = ${at.kind}`
    else await tx`delete from findable_backfill where kind = ${at.kind}`
    return true
  })
