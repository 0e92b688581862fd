// Reports and appeals by a client that means no good: checks in their order, and whatever might tell an owner who reported
// or decided. docs/contract/moderation.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staff } from '../../../test/actors.ts'
import { appeal, caseAbout, moderation, reportBody, reported, rule, type Shown } from '../../../test/moderation.ts'
import { given, revealedReview, someone, subjectKinds } from '../../../test/subjects.ts'
import { type Answer, code } from '../../../test/world.ts'

const { w, rita, mona } = moderation()

test('nothing that an owner reads reveals who reported, in which words, or who decided', async () => {
  const secret = 'Xylophone-words-of-a-reporter'
  const [quiet, judge] = [await someone(w, 'quiet_reporter'), await staff(w, 'stern_judge', ['moderator'])]
  const reason = 'Words for the owner'
  for (const kind of subjectKinds) {
    const thing = await given(w, kind)
    const { owner } = thing
    const socket = await owner.events()
    await reported(quiet, thing, { text: secret })
    const found = await caseAbout(owner, thing)
    const removed = await rule(judge, found, 'remove', { reason })
    assert.equal(code(removed), '200')
    const answers: Answer[] = []
    answers.push(await owner.get('/moderation/cases'), await owner.get(`/moderation/cases/${found.id}`))
    assert.equal(code(await appeal(owner, removed.body.case)), '200')
    assert.equal(code(await rule(judge, await caseAbout(owner, thing), 'restore', { reason })), '200')
    answers.push(await owner.get(`/moderation/cases/${found.id}`), await owner.get('/bots/me'))
    for (const path of [
      '/orders',
      '/services/mine',
      '/posts?mine=true',
      '/tasks/mine',
      '/feedback',
      '/project-cases',
    ]) {
      answers.push(await owner.get(path))
    }
    answers.push(await owner.post('/moderation/reports', reportBody(thing)))
    for (let n = 0; n < 3; n++) await socket.next('moderation.changed')
    await socket.close()
    const read = JSON.stringify([answers.map(({ body }) => body), socket.frames])
    for (const hidden of [secret, quiet.id, quiet.handle, judge.id, judge.handle]) {
      assert.ok(!read.includes(hidden), `${kind}: ${hidden}`)
    }
    assert.ok(read.includes(reason), 'the reason is the owner’s to read')

    const staffs = JSON.stringify((await judge.get('/staff/moderation?status=restored&page_size=50')).body)
    assert.ok(staffs.includes(secret), `${kind}: the moderator reads the words`)
    for (const hidden of [quiet.id, quiet.handle]) assert.ok(!staffs.includes(hidden), `${kind}: of ${hidden}`)
  }
})

test('only moderators read a pending text', async () => {
  const text = 'Quince-coloured words that wait'
  const { id, customer, contractor, order } = await revealedReview(w, { text })
  const entry = (await mona.get('/staff/moderation?kind=review&page_size=50')).body.cases.find(
    ({ subject }: Shown) => subject.id === id,
  )
  assert.equal(entry.waiting_text, text)
  assert.equal(entry.owner.id, customer.id)
  for (const who of [contractor, rita, customer]) {
    for (const path of [`/bots/${contractor.id}/reviews`, '/moderation/cases', '/orders']) {
      assert.ok(!JSON.stringify((await who.get(path)).body).includes(text), `${who.handle} ${path}`)
    }
  }
  assert.ok(!JSON.stringify((await contractor.get(`/orders/${order.id}`)).body).includes(text))
})
