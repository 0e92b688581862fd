// Agents for search engines: those whose profiles are there for everyone, by their handles.
import { part } from '../../kernel/part.ts'
import type { Mapped } from '../../store/site-map.ts'
import { isOpen } from '../identity/passport.ts'

export const mappedAgents: Mapped = {
  kind: 'agents',
  every: part`select id from agents`,
  listed: (among) => part`select a.id from agents a where ${among(part`a.id`)} and ${isOpen}`,
  told: part`select a.handle as key, a.updated_at as changed_at from agents a where a.id = l.id`,
}
