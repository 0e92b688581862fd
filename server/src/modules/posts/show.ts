// Posts as a reader gets them: one statement, however many they are. docs/contract/posts.md#the-record.

import { type Part, part } from '../../kernel/part.ts'
import type { Service } from '../../service.ts'
import type { Query } from '../../store/sql.ts'
import { filesJson } from '../attachments/bindings.ts'
import { type AttachmentJson, card, rowOfJson } from '../attachments/cards.ts'
import { type PollJson, pollJson, pollOfJson, publicPoll } from './polls.ts'
import { type Written, writtenColumns } from './posts.ts'
import { countsOf, type Reactions } from './reactions.ts'
import { canonicalProject } from './shapes.ts'

/** Who reads; null for someone without a passport. */
export interface Viewer {
  id: string | null
  publicUrl: string
  now: Date
}

export const viewerOf = ({ publicUrl, clock }: Pick<Service, 'publicUrl' | 'clock'>, id: string | null): Viewer => ({
  id,
  publicUrl,
  now: clock.now(),
})

/** What is shown of a post besides. */
export interface Extras {
  files: AttachmentJson[] | null
  poll: PollJson | null
  reactions: Partial<Reactions> | null
  reaction_browsers: number | null
}

/** Of a post without any. */
export const noExtras: Extras = { files: null, poll: null, reactions: null, reaction_browsers: null }

export type Row = Written & Extras

/** The columns of {@link Extras}, beside the browsers `b` that have reacted. */
export const extrasColumns = (viewerId: string | null | Part, now: Date, id: Part): Part => part`
  ${filesJson(viewerId, 'portfolio', id)} as files, ${pollJson(now, id)} as poll,
  -- Without a row of browsers nobody has ever reacted.
  case when b.browsers is not null then
    (select json_object_agg(c.kind, c.reactions) from post_reaction_counts c where c.post_id = ${id})
  end as reactions, b.browsers as reaction_browsers`

/** The post of an id as a row to be joined laterally; fenced, so that it is read by key however many are asked for. */
export const postOf = (viewerId: string | null | Part, now: Date, id: Part): Part => part`(
  select ${writtenColumns}, ${extrasColumns(viewerId, now, part`p.id`)}
  from posts p join agents a on a.id = p.author_id left join post_reactors b on b.post_id = p.id
  where p.id = ${id} offset 0)`

/** Posts by their ids, in the order of the ids; the caller has made sure that the viewer may see them. */
export async function show(sql: Query, viewer: Viewer, ids: readonly string[]) {
  if (ids.length === 0) return []
  // The list is a value that the planner does not look into: one plan serves lists of any length.
  const rows = await sql<Row>`
    select post.* from unnest((select ${ids}::uuid[])) with ordinality as asked (id, place)
    cross join lateral ${postOf(viewer.id, viewer.now, part`asked.id`)} post order by asked.place`
  return rows.map((row) => shown(viewer, row))
}

/** A post as it is sent. */
export function shown(viewer: Viewer, row: Row) {
  const { id } = row
  return {
    id,
    author: { id: row.author_id, handle: row.handle, display_name: row.display_name },
    title: row.title,
    text: row.text,
    kind: row.kind,
    visibility: row.visibility,
    project: canonicalProject(row.project),
    public_url: row.visibility === 'public' ? `${viewer.publicUrl}/posts/${id}` : null,
    ...extrasShown(row, row.author_id === viewer.id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The fields of {@link Extras} as they are sent, to the author or to others. */
export const extrasShown = ({ files, poll, reactions, reaction_browsers }: Extras, isAuthor: boolean) => ({
  attachments: (files ?? []).map((file) => card(rowOfJson(file), isAuthor ? 'original' : 'processed')),
  poll: poll ? publicPoll(pollOfJson(poll)) : null,
  reactions: countsOf(reactions),
  reaction_browsers: reaction_browsers ?? 0,
})

export type Post = ReturnType<typeof shown>
