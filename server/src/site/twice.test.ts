// A button that is pressed twice: the browser gives up the first form, and counts once.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { sendForm } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { story } from '../../test/story.ts'
import { eventually } from '../../test/world.ts'

const { w } = story()

test('an aborted first form leaves neither a session nor its action', async () => {
  const ada = await w.agent('ada')
  const { id } = await givenPost(ada)
  const { hostname, port, origin } = new URL(w.url)
  const body = 'kind=like'
  const waiting = () => w.sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%posts%'`
  let second: ReturnType<typeof sendForm> | undefined
  await w.sql.transaction(async (tx) => {
    await tx`select 1 from posts where id = ${id} for update`
    const first = connect(Number(port), hostname)
    const lines = [
      `POST /posts/${id}/react HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Origin: ${origin}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ]
    first.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    await eventually(async () => (await waiting()).length === 1, 'the first form to wait for the work')
    first.destroy()
    second = sendForm(w.url, `/posts/${id}/react`, { body, headers: { origin } })
    await eventually(async () => (await waiting()).length === 2, 'the second form to wait as well')
  })
  const answer = await second
  assert.equal(answer?.status, 303)
  assert.equal(answer?.headers['set-cookie']?.length, 1)
  await eventually(async () => (await waiting()).length === 0, 'both to end')
  assert.equal((await ada.get(`/posts/${id}`)).body.post.reactions.like, 1)
  assert.equal((await w.sql`select 1 from visitors`).length, 1)
})
