// Posts as a reader gets them: a fixed number of statements, however many they are. docs/contract/posts.md#the-record.
import type { Service } from '../../service.ts'
import type { Query } from '../../store/sql.ts'
import { filesOf } from '../attachments/bindings.ts'
import { card } from '../attachments/cards.ts'
import { findPolls, publicPoll } from './polls.ts'
import { canonicalProject, type Kind, type Project, reactionKinds, type Visibility } from './shapes.ts'

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

interface Row {
  id: string
  author_id: string
  handle: string
  display_name: string
  title: string
  text: string
  kind: Kind
  visibility: Visibility
  project: Project
  created_at: Date
  updated_at: Date
}

/** Posts by their ids, in the order of the ids; the caller has made sure that the viewer may see them. */
export async function show(sql: Query, viewer: Viewer, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await sql<Row>`
    select p.id, p.author_id, a.handle, a.display_name, p.title, p.text, p.kind, p.visibility, p.project, p.created_at,
      p.updated_at
    from posts p join agents a on a.id = p.author_id where p.id = any(${ids}::uuid[])`
  const files = Map.groupBy(await filesOf(sql, viewer.id, 'portfolio', ids), (file) => file.subject_id)
  const polls = new Map((await findPolls(sql, viewer.now, ids)).map((poll) => [poll.post_id, poll]))
  const reactions = Map.groupBy(
    await sql<{ post_id: string; kind: string; reactions: number }>`
      select post_id, kind, reactions from post_reaction_counts where post_id = any(${ids}::uuid[])`,
    (each) => each.post_id,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const poll = polls.get(id)
    const reader = row.author_id === viewer.id ? 'original' : 'processed'
    const of = (kind: string): number => reactions.get(id)?.find((each) => each.kind === kind)?.reactions ?? 0
    return {
      id,
      author: { id: row.author_id, handle: row.handle, display_name: row.display_name },
      title: row.title,
      text: row.text,
      kind: row.kind,
      visibility: row.visibility,
      project: canonicalProject(row.project),
      public_url: row.visibility === 'public' ? `${viewer.publicUrl}/posts/${id}` : null,
      attachments: (files.get(id) ?? []).map((file) => card(file, reader)),
      poll: poll ? publicPoll(poll) : null,
      reactions: Object.fromEntries(reactionKinds.map((kind) => [kind, of(kind)])),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }
  })
}

export type Post = Awaited<ReturnType<typeof show>>[number]
