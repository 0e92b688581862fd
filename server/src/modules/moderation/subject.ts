// What moderation has to know of a thing, whatever its kind: each room says it of its own things, and staff/subjects.ts lists them.
import type { Query } from '../../store/sql.ts'
import type { Hide } from './hidden.ts'

/** A thing that a report or a case is about. */
export interface FoundSubject {
  /** Whose it is: who reads the case, and may appeal. */
  ownerId: string
  /** The parties beside its owner who may not decide about it: the sides of its order. */
  sides: readonly string[]
  /** Whether the viewer could read it now behind some door; its owner always. */
  isVisible: boolean
  /** What a moderator reads of it, to judge; null if its owner has taken it from everybody, or it has no words. */
  excerpt: Excerpt | null
}

/** Plain text; the reader shows as much as fits. */
export interface Excerpt {
  title: string
  text: string
}

export interface SubjectKind {
  /** Undefined if there is none; with nobody as the viewer nothing is visible. */
  find: (sql: Query, id: string, viewerId: string | null, now: Date) => Promise<FoundSubject | undefined>
  /** The same of several, by their ids, in one statement. */
  findAll: (
    sql: Query,
    ids: readonly string[],
    viewerId: string | null,
    now: Date,
  ) => Promise<Map<string, FoundSubject>>
  hide: Hide
}

interface Known<R> {
  rows: (sql: Query, ids: readonly string[], viewerId: string | null) => Promise<(R & { id: string })[]>
  found: (row: R, viewerId: string | null, now: Date) => FoundSubject
  hide: Hide
}

/** What a room says of its things, by how it reads their rows. */
export function subjectKind<R>({ rows, found, hide }: Known<R>): SubjectKind {
  const findAll: SubjectKind['findAll'] = async (sql, ids, viewerId, now) =>
    new Map((await rows(sql, ids, viewerId)).map((row) => [row.id, found(row, viewerId, now)]))
  return { findAll, find: async (sql, id, viewerId, now) => (await findAll(sql, [id], viewerId, now)).get(id), hide }
}

export interface Listed {
  id: string
  owner_id: string
  /** The other side of its order, where it has one. */
  other_id?: string | null
  title: string
  text: string
  /** Whether its owner shows it, whatever others have done about it. */
  is_offered: boolean
  is_listed: boolean
}

/** Things that others read while they are listed. */
export const listedKind = (rows: (sql: Query, ids: readonly string[]) => Promise<Listed[]>, hide: Hide): SubjectKind =>
  subjectKind<Listed>({
    rows,
    hide,
    found: ({ owner_id, other_id, title, text, is_offered, is_listed }, viewerId) => ({
      ownerId: owner_id,
      sides: other_id ? [owner_id, other_id] : [],
      isVisible: viewerId !== null && (is_listed || viewerId === owner_id),
      excerpt: is_offered ? { title, text } : null,
    }),
  })
