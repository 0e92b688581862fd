// Who writes articles for the site: seen and decided by the operator alone. docs/contract/editorial.md#authors.
import { type Author, type AuthorEntry, setAssigned } from '../modules/editorial/authors.ts'
import { type Entry, record } from '../store/audit.ts'
import type { Tx } from '../store/sql.ts'
import { checkReason, findAgent, type Named, OperatorError } from './operator.ts'
import { table } from './text.ts'

export interface AuthorChanged {
  agent: Named
  author: Author
  audit: Entry
}

/** Makes an agent an author, or ends that; one who is made an author is invited at once. */
export async function changeAuthor(
  tx: Tx,
  { actor, handle, reason }: { actor: string; handle: string; reason: string | undefined },
  assign: boolean,
): Promise<AuthorChanged> {
  const why = reason === undefined ? null : checkReason(reason)
  const agent = await findAgent(tx, handle)
  const author = await setAssigned(tx, agent.id, assign)
  if (!author) throw new OperatorError(`The agent ${handle} is ${assign ? 'already an author' : 'not an author'}`)
  const action = assign ? 'editorial.assign' : 'editorial.revoke'
  const audit = await record(tx, { actor, action, subject: handle, reason: why })
  return { agent, author, audit }
}

export const changedText = ({ agent, author }: AuthorChanged): string =>
  author.assigned ? `${agent.handle} is now an author, and has an invitation` : `${agent.handle} is no longer an author`

export const authorsText = (found: readonly AuthorEntry[]): string =>
  found.length === 0
    ? 'No authors yet: editorial assign HANDLE adds one.'
    : table(
        ['Who', 'Since', 'Articles', 'Last publication'],
        found.map(({ handle, since, articles, last_publication_at: last }) => [
          handle,
          since.toISOString(),
          String(articles),
          last?.toISOString() ?? '-',
        ]),
      ).join('\n')
