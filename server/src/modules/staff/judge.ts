// An agent that decides about others, and what is its own: nobody decides that. docs/contract/moderation.md#decisions.
import type { Agent } from '../../kernel/callers.ts'
import type { Secrets } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import type { Query } from '../../store/sql.ts'
import { isFormerCustomer } from '../humans/former.ts'
import { isSameOwner } from '../identity/owners.ts'

export interface Judge {
  id: string
  secrets: Secrets
}

export const judgeOf = ({ secrets }: Pick<Service, 'secrets'>, { id }: Pick<Agent, 'id'>): Judge => ({ id, secrets })

/** Whether one of these parties is the judge, or its verified owner's: a passport, an account, or a closed one with open cases. */
export const isOwn = async (sql: Query, { id, secrets }: Judge, parties: readonly string[]): Promise<boolean> =>
  (await isSameOwner(sql, id, parties)) || isFormerCustomer(sql, secrets, id, parties)
