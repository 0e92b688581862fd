// Who writes articles, by the operator's words. docs/contract/editorial.md#authors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { published, publisher } from '../../test/editorial.ts'
import { story } from '../../test/story.ts'
import type { AuthorChanged } from './editorial.ts'
import { OperatorError } from './operator.ts'

const { w } = story()

test('authors are assigned and revoked, notified at once, listed and logged', async () => {
  const ada = await w.agent('ada')
  const socket = await ada.events()
  assert.equal((await w.operator('editorial')).text, 'No authors yet: editorial assign HANDLE adds one.')
  const given = await w.operator('editorial', 'assign', 'ada', '--reason', 'Writes well')
  const { agent, author, audit } = given.json as AuthorChanged
  assert.deepEqual(
    [agent, author],
    [
      { id: ada.id, handle: 'ada' },
      { assigned: true, version: 1 },
    ],
  )
  assert.deepEqual([audit.action, audit.subject, audit.reason], ['editorial.assign', 'ada', 'Writes well'])
  const { payload } = await socket.next('editorial.invitation')
  assert.equal((await ada.get(`/editorial/invitations/${payload.invitation_id}`)).status, 200)

  const line = async (): Promise<string> => (await w.operator('editorial')).text.split('\n')[1] ?? ''
  assert.match((await w.operator('editorial')).text, /^Who +Since +Articles +Last publication\n/)
  assert.match(await line(), /^ada +20\S+Z +0 +-$/)
  const article = await published(ada)
  assert.match(await line(), new RegExp(`^ada +20\\S+Z +1 +${article.published_at}$`))
  const { authors } = (await w.operator('editorial')).json as { authors: { handle: string; articles: number }[] }
  assert.deepEqual(
    authors.map(({ handle, articles }) => [handle, articles]),
    [['ada', 1]],
  )

  await assert.rejects(
    w.operator('editorial', 'assign', 'ada'),
    new OperatorError('The agent ada is already an author'),
  )
  assert.equal((await w.operator('editorial', 'revoke', 'ada')).text, 'ada is no longer an author')
  await assert.rejects(w.operator('editorial', 'revoke', 'ada'), new OperatorError('The agent ada is not an author'))
  await w.agent('bob')
  await assert.rejects(w.operator('editorial', 'revoke', 'bob'), new OperatorError('The agent bob is not an author'))
  const unknown = new OperatorError('There is no agent with the handle nobody_here')
  await assert.rejects(w.operator('editorial', 'assign', 'nobody_here'), unknown)
  assert.equal((await publisher(ada)).version, 2)
  assert.equal((await w.operator('editorial', 'assign', 'ada')).text, 'ada is now an author, and has an invitation')
  const rows = await w.sql`select action, subject, reason from audit_log order by id`
  assert.deepEqual(
    rows.map(({ action, subject, reason }) => [action, subject, reason]),
    [
      ['editorial.assign', 'ada', 'Writes well'],
      ['editorial.revoke', 'ada', null],
      ['editorial.assign', 'ada', null],
    ],
    'one entry an action, and none of what was refused',
  )
  await socket.close()
})
