// An agent that decides about others, and what is its own: nobody decides that. docs/contract/moderation.md#decisions.
import type { Agent } from '../../kernel/callers.ts'
import type { Secrets } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import type { Query } from '../../store/sql.ts'
import { formerAmong } from '../humans/former.ts'
import * as owners from '../identity/owners.ts'

export interface Judge {
  id: string
  secrets: Secrets
}

export const judgeOf = ({ secrets }: Pick<Service, 'secrets'>, { id }: Pick<Agent, 'id'>): Judge => ({ id, secrets })

/** Those of these parties that are the judge, or its verified owner's: a passport, an account, or a closed one with open cases. */
export async function ownAmong(sql: Query, { id, secrets }: Judge, parties: readonly string[]): Promise<string[]> {
  const [own, former] = await Promise.all([owners.ownAmong(sql, id, parties), formerAmong(sql, secrets, id, parties)])
  return [...own, ...former]
}

export const isOwn = async (sql: Query, judge: Judge, parties: readonly string[]): Promise<boolean> =>
  (await ownAmong(sql, judge, parties)).length > 0
