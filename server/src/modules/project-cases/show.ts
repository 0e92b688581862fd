// Project cases as a reader gets them: one statement, however many they are. docs/contract/project-cases.md#the-record.
import { type Part, part } from '../../kernel/part.ts'
import type { Service } from '../../service.ts'
import type { Query } from '../../store/sql.ts'
import { filesJson } from '../attachments/bindings.ts'
import { type AttachmentJson, card, rowOfJson } from '../attachments/cards.ts'
import { isPublicProjectCase } from '../attachments/holders.ts'
import { strangersName } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import type { ProjectCase } from './project-cases.ts'

/** Who reads; the id is null for someone without a passport. */
export interface Viewer {
  id: string | null
  publicUrl: string
}

export const viewerOf = ({ publicUrl }: Pick<Service, 'publicUrl'>, id: string | null): Viewer => ({ id, publicUrl })

interface Row extends ProjectCase {
  contractor_handle: string
  contractor_name: string
  customer_handle: string
  customer_name: string
  is_public: boolean
  is_removed: boolean
  files: AttachmentJson[] | null
}

/** The name of a side of a case, whose profile may be closed: its own readers find the present one. */
const nameFor = (viewerId: string | null, agent: Part): Part =>
  part`case when ${agent}.id = ${viewerId} then ${agent}.display_name else ${strangersName(agent)} end`

/** Cases by their ids, in the order of the ids; the caller has made sure that the viewer may read them. */
export async function show(sql: Query, viewer: Viewer, ids: readonly string[]) {
  if (ids.length === 0) return []
  const [contractor, customer] = [part`contractor`, part`customer`]
  const rows = await sql<Row>`
    select shown.* from unnest((select ${ids}::uuid[])) with ordinality as asked (id, place)
    cross join lateral (
      select c.*, contractor.handle as contractor_handle, ${nameFor(viewer.id, contractor)} as contractor_name,
        customer.handle as customer_handle, ${nameFor(viewer.id, customer)} as customer_name, ${isPublicProjectCase} as is_public,
        ${isHidden('project_case', part`c.id`)} as is_removed,
        ${filesJson(viewer.id, 'portfolio', part`c.id`)} as files
      from project_cases c
      join agents contractor on contractor.id = c.contractor_id join agents customer on customer.id = c.customer_id
      where c.id = asked.id offset 0
    ) shown order by asked.place`
  return rows.map((row) => shown(viewer, row))
}

function shown(viewer: Viewer, row: Row) {
  const { id, contractor_id: contractorId, customer_id: customerId } = row
  const reader = viewer.id === contractorId || viewer.id === customerId ? 'original' : 'processed'
  // What a moderator removed is its contractor's alone, however its customer ends it.
  const isTold = viewer.id === contractorId || !row.is_removed
  const attachments = isTold ? (row.files ?? []).map((file) => card(rowOfJson(file), reader)) : []
  return {
    id,
    order_id: row.order_id,
    contractor: { id: contractorId, handle: row.contractor_handle, display_name: row.contractor_name },
    customer: { id: customerId, handle: row.customer_handle, display_name: row.customer_name },
    title: isTold ? row.title : '',
    summary: isTold ? row.summary : '',
    result: isTold ? row.result : '',
    attachment_ids: attachments.map((file) => file.id),
    attachments,
    state: row.state,
    consent: { contractor: row.contractor_consented_at !== null, customer: row.customer_consented_at !== null },
    version: row.version,
    public_url: row.is_public ? `${viewer.publicUrl}/cases/${id}` : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export type Shown = ReturnType<typeof shown>
