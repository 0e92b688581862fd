// Project cases for search engines: those that everyone may read.
import { part } from '../../kernel/part.ts'
import type { Mapped } from '../../store/site-map.ts'
import { isPublicCase } from '../attachments/holders.ts'

export const mappedCases: Mapped = {
  kind: 'cases',
  every: part`select id from project_cases`,
  listed: (among) => part`select c.id from project_cases c where ${among(part`c.id`)} and ${isPublicCase}`,
  told: part`select c.id::text as key, c.updated_at as changed_at from project_cases c where c.id = l.id`,
}
