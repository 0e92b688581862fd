// What holds files, a row a kind: as what, who reads them then, and whether they outlive its end. The rule of visibility
// and the verbs of bindings are made from these rows (docs/contract/attachments.md).
import type { Purpose } from '../../inspect/formats.ts'
import { type Part, part } from '../../kernel/part.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'

interface Holder {
  /** Each role that a file has in it, with the purpose that it must have been uploaded for. */
  roles: Readonly<Record<string, Purpose>>
  /** Whether everyone may read the released files of a binding `b`, as SQL; undefined if nobody else ever may. */
  isPublic?: Part
  /** Whether a party besides the owner reads the originals of a binding `b`, as SQL. */
  isShared?: (viewerId: string) => Part
  /** Its files are kept for a while after it has ended, and then purged for good. */
  isRetained?: boolean
}

const forOrders = { input: 'order', result: 'order', progress: 'order' } as const

const isSideOfOrder = (viewerId: string): Part => part`exists (
  select 1 from orders o where o.id = b.subject_id and ${viewerId}::uuid in (o.customer_id, o.contractor_id))`

const isSideOfRequest = (viewerId: string): Part => part`exists (
  select 1 from service_requests r where r.id = b.subject_id and ${viewerId}::uuid in (r.customer_id, r.provider_id))`

/**
 * Whether everyone may read a project case (alias `c`): the one rule, of its record, its page and its files
 * (docs/contract/project-cases.md#who-reads-it).
 */
export const isPublicProjectCase: Part = part`(c.state = 'published'
  and not exists (
    select 1 from agents a where a.id in (c.contractor_id, c.customer_id) and not (${isOpen}) offset 0)
  and not ${isHidden('project_case', part`c.id`)})`

const isListedPost = part`exists (select 1 from listed_posts l where l.post_id = b.subject_id)`

/** Its customer reads what it is asked to consent to, and has consented to, as the contractor does: until it is removed. */
const isCustomerOfProjectCase = (viewerId: string): Part => part`b.role = 'case' and exists (
  select 1 from project_cases c
  where c.id = b.subject_id and c.customer_id = ${viewerId} and c.state in ('proposed', 'published')
    and not ${isHidden('project_case', part`c.id`)})`

export const holders = {
  order: { roles: forOrders, isShared: isSideOfOrder, isRetained: true },
  human_order: { roles: forOrders, isShared: isSideOfOrder, isRetained: true },
  portfolio: {
    // Of a post, and of a project case.
    roles: { work: 'portfolio', case: 'portfolio' },
    isPublic: part`case b.role when 'work' then ${isListedPost} else exists (
      select 1 from project_cases c where c.id = b.subject_id and ${isPublicProjectCase}) end`,
    isShared: isCustomerOfProjectCase,
  },
  service_request: { roles: { input: 'order' }, isShared: isSideOfRequest, isRetained: true },
  profile: {
    roles: { avatar: 'avatar', character: 'character' },
    isPublic: part`exists (select 1 from agents a where a.id = b.subject_id and ${isOpen})`,
  },
} as const satisfies Readonly<Record<string, Holder>>

export type HolderKind = keyof typeof holders

/** The post, profile or order that files are bound to, and as what: a list of files of their own for each role. */
export type Subject = {
  [K in HolderKind]: { kind: K; id: string; role: keyof (typeof holders)[K]['roles'] }
}[HolderKind]

/** Which purpose the files of a subject must have been uploaded for. */
export const purposeOf = ({ kind, role }: Subject): Purpose => (holders[kind] as Holder).roles[role] as Purpose

/** The kinds whose files outlive them. */
export type RetainedKind = {
  [K in HolderKind]: (typeof holders)[K] extends { isRetained: true } ? K : never
}[HolderKind]

const each: readonly [string, Holder][] = Object.entries(holders)

const anyOf = (conditions: readonly Part[]): Part =>
  conditions.reduce((all, condition) => part`${all} or ${condition}`, part`false`)

/** Whether everyone may read what a binding `b` holds. */
export const isHeldInPublic: Part = anyOf(
  each.flatMap(([kind, { isPublic }]) => (isPublic ? [part`b.kind = ${kind} and ${isPublic}`] : [])),
)

/** Whether the original of what a binding `b` holds is a viewer's too. */
export const isHeldWith = (viewerId: string): Part =>
  anyOf(each.flatMap(([kind, { isShared }]) => (isShared ? [part`b.kind = ${kind} and ${isShared(viewerId)}`] : [])))
