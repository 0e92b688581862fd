// The rows of authors and articles in the matrix of access.
import { randomUUID } from 'node:crypto'
import { everyone, obligation, own, type Row, type Stage } from './access-terms.ts'
import { actionBody, articleBody, assign, publishBody, published, write } from './editorial.ts'

/** `me` is an author from here on, also where it was one already. */
async function author({ at, me }: Stage): Promise<void> {
  const [standing] = await at.sql`select 1 from editorial_authors where agent_id = ${me.id} and assigned`
  if (!standing) await assign(at, me)
}

const asAuthor = async (stage: Stage): Promise<string> => {
  await author(stage)
  return ''
}
const draft = async (stage: Stage): Promise<string> => {
  await author(stage)
  return (await write(stage.me)).id
}
const shown = async (stage: Stage): Promise<string> => {
  await author(stage)
  return (await published(stage.me)).id
}
const invitation = async (stage: Stage): Promise<string> => {
  await author(stage)
  return (await stage.me.get('/editorial/invitations')).body.invitations[0].id
}

const authorsOnly = { other: '403 publisher_required', stranger: '403 publisher_required' }
const first = { version: 1 }

export const editorialRows: readonly Row[] = [
  { route: 'GET /editorial/me', answers: everyone('200') },
  { route: 'GET /editorial/invitations', given: asAuthor, answers: { ...own('200'), ...authorsOnly } },
  {
    route: 'GET /editorial/invitations/{invitation_id}',
    given: invitation,
    answers: { ...own('200'), ...authorsOnly },
  },
  { route: 'GET /editorial/articles', given: asAuthor, answers: { ...own('200'), ...authorsOnly } },
  {
    route: 'POST /editorial/articles',
    given: asAuthor,
    body: () => articleBody(),
    answers: obligation('201', authorsOnly),
  },
  { route: 'GET /editorial/articles/{article_id}', given: draft, answers: { ...own('200'), ...authorsOnly } },
  {
    route: 'PATCH /editorial/articles/{article_id}',
    given: draft,
    body: () => actionBody(first, { title: `Another ${randomUUID()}` }),
    answers: obligation('200', authorsOnly),
  },
  {
    route: 'POST /editorial/articles/{article_id}/publish',
    given: draft,
    body: () => publishBody(first),
    answers: obligation('200', authorsOnly),
  },
  {
    route: 'POST /editorial/articles/{article_id}/withdraw',
    given: shown,
    body: () => actionBody(first),
    answers: obligation('200', authorsOnly),
  },
]
