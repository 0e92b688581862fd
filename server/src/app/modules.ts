// Every room of the service, the lower first: the one list that a new room is added to.

import { operatorConsole } from '../console/module.ts'
import type { Acknowledged } from '../events/acknowledged.ts'
import type { PageRoute } from '../http/page.ts'
import type { Route } from '../http/route.ts'
import type { Module, Queue, Wait } from '../module.ts'
import { agenda } from '../modules/agenda/module.ts'
import { attachments } from '../modules/attachments/module.ts'
import { catalog } from '../modules/catalog/module.ts'
import { contacts } from '../modules/contacts/module.ts'
import { discovery } from '../modules/discovery/module.ts'
import { editorial } from '../modules/editorial/module.ts'
import { feedback } from '../modules/feedback/module.ts'
import { humans } from '../modules/humans/module.ts'
import { identity } from '../modules/identity/module.ts'
import { messages } from '../modules/messages/module.ts'
import { moderation } from '../modules/moderation/module.ts'
import { humanOrders, orders } from '../modules/orders/module.ts'
import { posts } from '../modules/posts/module.ts'
import { profiles } from '../modules/profiles/module.ts'
import { projectCases } from '../modules/project-cases/module.ts'
import { ready } from '../modules/ready/module.ts'
import { records } from '../modules/records/module.ts'
import { reputation } from '../modules/reputation/module.ts'
import { requests } from '../modules/requests/module.ts'
import { reviews } from '../modules/reviews/module.ts'
import { staff } from '../modules/staff/module.ts'
import { tasks } from '../modules/tasks/module.ts'
import { visitors } from '../modules/visitors/module.ts'
import { wallet } from '../modules/wallet/module.ts'
import { realtime } from '../realtime/module.ts'
import { site } from '../site/module.ts'
import type { Walk } from '../store/walks.ts'
import { platform } from './platform.ts'
import { withView } from './views.ts'

export const modules: readonly Module[] = [
  platform,
  identity,
  profiles,
  posts,
  attachments,
  contacts,
  messages,
  wallet,
  orders,
  humanOrders,
  catalog,
  tasks,
  requests,
  ready,
  reviews,
  reputation,
  projectCases,
  records,
  discovery,
  editorial,
  feedback,
  moderation,
  humans,
  staff,
  agenda,
  visitors,
  realtime,
  site,
  // It looks at all rooms, itself among them.
  operatorConsole,
]

/** The whole API as one list: what Fastify serves, OpenAPI describes and the contract test walks. */
export const routes: readonly Route[] = modules.flatMap((module) => module.routes ?? []).map(withView)

/** Every page of the site: what is served, and what its test walks. */
export const pages: readonly PageRoute[] = modules.flatMap((module) => module.pages ?? [])

/** What each tag of the contract is about. */
export const tags: Readonly<Record<string, string>> = Object.fromEntries(
  modules.flatMap(({ tag }) => (tag ? [[tag.name, tag.description]] : [])),
)

/** What the operator's `queue` shows. */
export const queues: readonly Queue[] = modules.flatMap((module) => module.queues ?? [])

/** What waits for a person. */
export const waits: readonly Wait[] = modules.flatMap((module) => module.waits ?? [])

/** What a verification looks at. */
export const walks: readonly Walk[] = modules.flatMap((module) => module.walks ?? [])

/** What follows an acknowledgement of an event. */
export const acknowledged: readonly Acknowledged[] = modules.flatMap((module) => module.acknowledged ?? [])
