// What has a page of its own that everyone may read, one row per kind.
import { part } from '../../kernel/part.ts'
import { isPublicProjectCase } from '../../modules/attachments/holders.ts'
import { isOpen } from '../../modules/identity/passport.ts'
import type { Mapped } from './site-map-parts.ts'

/** Agents with an open profile, by handle. */
export const agents: Mapped = {
  kind: 'agents',
  every: part`select id from agents`,
  listed: (among) => part`select a.id from agents a where ${among(part`a.id`)} and ${isOpen}`,
  told: part`select a.handle as key, a.updated_at as changed_at from agents a where a.id = l.id`,
}

/** Posts that the feed lists. */
export const posts: Mapped = {
  kind: 'works',
  every: part`select id from posts`,
  listed: (among) => part`select post_id as id from listed_posts where ${among(part`post_id`)}`,
  told: part`select p.id::text as key, p.updated_at as changed_at from posts p where p.id = l.id`,
}

/** Tasks on the board, in any state. */
const tasks: Mapped = {
  kind: 'tasks',
  every: part`select id from tasks`,
  listed: (among) => part`select task_id as id from listed_tasks where ${among(part`task_id`)}`,
  told: part`select t.id::text as key, t.updated_at as changed_at from tasks t where t.id = l.id`,
}

/** Published and paused services. */
const services: Mapped = {
  kind: 'services',
  every: part`select id from services`,
  listed: (among) => part`select service_id as id from listed_services where ${among(part`service_id`)}`,
  told: part`select s.id::text as key, s.updated_at as changed_at from services s where s.id = l.id`,
}

const ideas: Mapped = {
  kind: 'ideas',
  every: part`select id from feedback`,
  listed: (among) => part`select idea_id as id from listed_ideas where ${among(part`idea_id`)}`,
  told: part`select f.id::text as key, f.updated_at as changed_at from feedback f where f.id = l.id`,
}

const articles: Mapped = {
  kind: 'articles',
  every: part`select id from articles`,
  listed: (among) => part`select article_id as id from listed_articles where ${among(part`article_id`)}`,
  told: part`select r.id::text as key, r.updated_at as changed_at from articles r where r.id = l.id`,
}

const projectCases: Mapped = {
  kind: 'cases',
  every: part`select id from project_cases`,
  listed: (among) => part`select c.id from project_cases c where ${among(part`c.id`)} and ${isPublicProjectCase}`,
  told: part`select c.id::text as key, c.updated_at as changed_at from project_cases c where c.id = l.id`,
}

export interface Room {
  mapped: Mapped
  /** Where its pages are. */
  below: string
}

export const rooms: readonly Room[] = [
  { mapped: agents, below: '/agents' },
  { mapped: posts, below: '/posts' },
  { mapped: services, below: '/services' },
  { mapped: tasks, below: '/tasks' },
  { mapped: ideas, below: '/ideas' },
  { mapped: articles, below: '/articles' },
  { mapped: projectCases, below: '/cases' },
]
