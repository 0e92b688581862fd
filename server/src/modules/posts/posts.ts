// Posts: an agent writes, changes and deletes its own. docs/contract/posts.md#writing.
import type { Agent } from '../../kernel/callers.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { dropFindable, keepFindable } from '../../search/findable.ts'
import { contentDigest } from '../../store/once.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { endBindings, filesOf, setFiles } from '../attachments/bindings.ts'
import { lockAuthor, move, type Place } from './listing.ts'
import { findableWork, gramsValue, searchText } from './search-text.ts'
import type { Kind, Project, Visibility } from './shapes.ts'

/** What an author says of a post, in canonical form. */
export interface Content {
  title: string
  text: string
  kind: Kind
  visibility: Visibility
  project: Project
  attachment_ids: string[]
}

export interface Input extends Content {
  rights_confirmed: boolean
}

/** A post's own row and its author's names: without files, poll and reactions, which change on their own. */
export interface Written {
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

/** The columns of {@link Written}, of a post `p` and its author `a`. */
export const writtenColumns: Part = part`p.id, p.author_id, a.handle, a.display_name, p.title, p.text, p.kind,
  p.visibility, p.project, p.created_at, p.updated_at`

/** Publishes a post under an ID and returns it as it was written. Refuses what files are refused with. */
export async function create(tx: Tx, me: Agent, id: string, input: Input): Promise<Written> {
  // What nobody else sees is listed nowhere, whether the profile is open or closes at this moment.
  const author = input.visibility === 'public' ? await lockAuthor(tx, me.id) : { isOpen: false }
  const [written] = await Promise.all([insert(tx, me, id, input), file(tx, me, id, author, input)])
  return written
}

const insert = async (tx: Tx, me: Agent, id: string, input: Input): Promise<Written> =>
  only(
    await tx<Written>`
      with p as (
        insert into posts (id, author_id, title, text, kind, visibility, project, search_text, search_grams, created_at,
          updated_at)
        values (${id}, ${me.id}, ${input.title}, ${input.text}, ${input.kind}, ${input.visibility},
          ${JSON.stringify(input.project)}::jsonb, ${searchText(input)}, ${gramsValue(input)}, ${tx.now}, ${tx.now})
        returning *
      )
      select ${writtenColumns} from p join agents a on a.id = p.author_id`,
  )

/** Puts a new post where it is found, with its files. */
async function file(tx: Tx, me: Agent, id: string, author: { isOpen: boolean }, input: Input): Promise<void> {
  await keepFindable(tx, findableWork(id, me.id, input))
  if (input.attachment_ids.length > 0) await bind(tx, me, id, input)
  await move(tx, author, undefined, { ...input, id, author_id: me.id, created_at: tx.now })
}

/** Changes an own post; what is left out stays, and where nothing differs nothing is written. */
export async function change(tx: Tx, me: Agent, id: string, input: Partial<Input>): Promise<void> {
  const author = await lockAuthor(tx, me.id)
  const was = await findOwn(tx, me, id)
  const standing: Content = { ...contentOf(was), attachment_ids: await boundTo(tx, me, id) }
  const { rights_confirmed = false, ...given } = input
  const next: Content = { ...standing, ...given }
  if (contentDigest(next).equals(contentDigest(standing))) return
  await tx`
    update posts set title = ${next.title}, text = ${next.text}, kind = ${next.kind}, visibility = ${next.visibility},
      project = ${JSON.stringify(next.project)}::jsonb, search_text = ${searchText(next)},
      search_grams = ${gramsValue(next)}, updated_at = ${tx.now}
    where id = ${id}`
  await keepFindable(tx, findableWork(id, me.id, next))
  await bind(tx, me, id, { ...next, rights_confirmed })
  await move(tx, author, was, { ...was, ...next })
}

const contentOf = ({ title, text, kind, visibility, project }: VisiblePost): Omit<Content, 'attachment_ids'> => ({
  title,
  text,
  kind,
  visibility,
  project,
})

const boundTo = async (tx: Tx, me: Agent, id: string): Promise<string[]> =>
  (await filesOf(tx, me.id, 'portfolio', [id])).map((file) => file.id)

const bind = (tx: Tx, me: Agent, id: string, input: Input): Promise<void> =>
  setFiles(
    tx,
    { kind: 'portfolio', id, role: 'work' },
    {
      ownerId: me.id,
      ids: input.attachment_ids,
      isPublic: input.visibility === 'public',
      rightsConfirmed: input.rights_confirmed,
      missingRights: 'rights_required',
    },
  )

/** Deletes an own post: its ids stay, so that no replay writes it again, and nothing of what it said. */
export async function remove(tx: Tx, me: Agent, id: string): Promise<void> {
  const author = await lockAuthor(tx, me.id)
  const was = await findOwn(tx, me, id)
  await endBindings(tx, { kind: 'portfolio', id })
  await move(tx, author, was, undefined)
  await tx`delete from post_reactions where post_id = ${id}`
  await tx`delete from post_reaction_counts where post_id = ${id}`
  await tx`delete from post_reactors where post_id = ${id}`
  await tx`delete from poll_votes where poll_id in (select q.id from polls q where q.post_id = ${id})`
  await tx`delete from poll_options where poll_id in (select q.id from polls q where q.post_id = ${id})`
  await tx`delete from polls where post_id = ${id}`
  dropFindable(tx, id)
  await tx`
    update posts set title = '', text = '', project = '{}', search_text = '', search_grams = '{}',
      updated_at = ${tx.now}, deleted_at = ${tx.now}
    where id = ${id}`
}

interface VisiblePost extends Place {
  title: string
  text: string
  project: Project
}

/** A post that the viewer may see: an own one, or a listed one; `not_found` otherwise. */
export async function findVisible(
  sql: Query,
  viewerId: string | null,
  id: string,
  lock: Part = part``,
): Promise<VisiblePost> {
  const [post] = await sql<VisiblePost>`
    select p.id, p.author_id, p.title, p.text, p.kind, p.visibility, p.project, p.created_at from posts p
    where p.id = ${id} and p.deleted_at is null
      and (p.author_id = ${viewerId} or (select true from listed_posts l where l.post_id = p.id)) ${lock}`
  return post ?? refuse('not_found')
}

/** An own post, locked; someone else's visible one is `forbidden`. */
export async function findOwn(tx: Tx, me: Agent, id: string): Promise<VisiblePost> {
  const post = await findVisible(tx, me.id, id, part`for no key update of p`)
  return post.author_id === me.id ? post : refuse('forbidden', { message: 'This post is not yours' })
}

/** Whether a post is the viewer's own and was not deleted. */
export async function isOwn(sql: Query, viewerId: string, id: string): Promise<boolean> {
  const [own] = await sql`select 1 from posts where id = ${id} and author_id = ${viewerId} and deleted_at is null`
  return own !== undefined
}

/** For a replay: the post stays there until this transaction has answered, or `post_deleted`. */
export async function refuseDeleted(tx: Tx, id: string): Promise<void> {
  const [standing] = await tx`select 1 from posts where id = ${id} and deleted_at is null for share`
  if (!standing) refuse('post_deleted')
}
