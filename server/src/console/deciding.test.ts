// What an operator decides at the console: cases, review texts, ready-made works, feedback. docs/operating.md#the-console.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { atConsole, audited } from '../../test/at-console.ts'
import { filed } from '../../test/feedback.ts'
import { appealed, caseAbout, reported, rule, type Shown } from '../../test/moderation.ts'
import { trade } from '../../test/orders.ts'
import { givenPost } from '../../test/posts.ts'
import { acceptedOrder, agreed, proposed } from '../../test/ready.ts'
import { reviewBody } from '../../test/reviews.ts'
import { beforehand, story } from '../../test/story.ts'
import { code } from '../../test/world.ts'
import { hours, minutes, newId } from '../kernel/clock.ts'
import type { Entry } from '../store/audit.ts'

const { w, ada, bob, mia } = story({ friends: ['ada', 'bob'], staff: ['mia'] })
const olga = beforehand(() => atConsole(w, 'olga@op.example'))
const otto = beforehand(() => atConsole(w, 'otto@op.example'))

const moderation = '/operator/moderation'

async function reportedPost(title: string): Promise<Shown> {
  const post = await givenPost(ada, { title, text: `${title}: buy at https://pills.example/buy` })
  await reported(bob, { kind: 'post', id: post.id }, { text: `${title} sells pills` })
  return caseAbout(ada, post)
}

const decision = (found: Pick<Shown, 'version'>, fields: Record<string, string>) => ({
  action: 'decide',
  form: `decide-${fields['decision']}`,
  expected_version: String(found.version),
  reason_code: 'spam',
  ...fields,
})

test('a case is read with its reports, decided once, appealed, and answered', async () => {
  const found = await reportedPost('Pills')
  const path = `${moderation}/${found.id}`
  const list = await olga.read(moderation)
  assert.ok(list.includes(`href="${path}"`) && list.includes('Pills sells pills'))
  const page = await olga.read(path)
  for (const said of ['Pills sells pills', 'Pills: buy at', '@ada', 'href="https://pills.example/buy" rel="ugc'])
    assert.ok(page.includes(said), said)
  assert.ok(!page.includes('@bob') && !page.includes(bob.id), 'nobody is told who reported')
  for (const each of ['approve', 'remove']) assert.ok(page.includes(` value="${each}"`), each)
  for (const each of ['reject', 'restore', 'ok']) assert.ok(!page.includes(` value="${each}"`), each)
  assert.match(page, /<option value="spam" selected>/, 'what was reported is chosen already')
  for (const effect of ['reports are settled', 'hidden from everyone but its owner'])
    assert.ok(page.includes(effect), `${effect} is told before it is done`)

  const input = { ...decision(found, { decision: 'remove' }), operation_id: randomUUID(), reason: ' It sells\npills ' }
  const twins = await Promise.all(Array.from({ length: 5 }, () => olga.send(path, input)))
  assert.deepEqual(new Set(twins.map(({ status }) => status)), new Set([303]))
  const details = { kind: 'post', subject: found.subject.id, reason_code: 'spam', status: 'removed' }
  assert.deepEqual(await audited(w, found.id), [[olga.actor, 'moderation.remove', 'It sells\npills', details]])
  assert.equal((await bob.get(`/posts/${found.subject.id}`)).status, 404)
  const removed = await caseAbout(ada, found.subject)
  assert.deepEqual([removed.status, removed.reason], ['removed', 'It sells\npills'])
  assert.match(
    await otto.refused(path, { ...decision(found, { decision: 'approve' }), reason: '' }),
    /nothing was done\. Check it again, then decide\. Last recorded here: “Case decided: removed”, operator:olga@op\.example, \d+ \w+ ago\./,
    'who comes second reads who was first',
  )
  assert.ok((await olga.read(`${path}?done=decide`)).includes('role="status"'))

  w.travel(minutes(5))
  const later = await olga.read(path)
  for (const part of ['about', 'decision', 'history'])
    assert.match(later, new RegExp(`id="${part}"[\\s\\S]*?>5 minutes ago<`), `${part} says when, as the queue does`)
  await appealed(ada, removed, { text: 'It was\na joke' })
  w.travel(hours(3))
  const waiting = await olga.read(`${moderation}?appealed=yes&kind=post`)
  assert.ok(waiting.includes(path) && waiting.includes('>3 hours</time>'))
  assert.ok(!(await olga.read(`${moderation}?appealed=no`)).includes(path))
  const again = await olga.read(path)
  assert.ok(again.includes('It was<br>a joke') && again.includes(olga.actor))
  assert.match(again, /The appeal is answered for good[\s\S]*>Confirm the decision<\/button>/)
  assert.ok(!again.includes('Remove: hide'), 'it is hidden already')
  await otto.act(path, decision({ version: removed.version + 1 }, { decision: 'restore', reason_code: 'ok' }))
  assert.equal((await bob.get(`/posts/${found.subject.id}`)).status, 200)
  const row = new RegExp(`<tr><th[^>]*><a href="${path}".*`)
  const answered = row.exec(await olga.read(`${moderation}?status=restored&appealed=yes`))?.[0] ?? ''
  assert.match(row.exec(waiting)?.[0] ?? '', /<span class="chip">Appealed</)
  assert.doesNotMatch(answered || 'Appealed', /Appealed|It was a joke/, 'its appeal waits no longer')
})

test('an impossible decision is explained beside its field, and changes nothing', async () => {
  const found = await reportedPost('Powder')
  const path = `${moderation}/${found.id}`
  const cases: [Record<string, string>, RegExp][] = [
    [decision(found, { decision: '' }), /was not accepted/],
    [decision(found, { decision: 'x' }), /was not accepted/],
    [decision(found, { decision: 'remove', reason_code: '' }), /Choose a reason code/],
    [decision(found, { decision: 'remove', reason_code: 'ok' }), /Choose a reason code/],
    [decision(found, { decision: 'restore', reason_code: 'ok' }), /no longer possible/],
    [decision(found, { decision: 'remove', reason: ' \n ' }), /A reason is needed|Enter a reason/],
    [decision(found, { decision: 'remove', reason: 'x'.repeat(2001) }), /longer than 2000|Enter a reason/],
    [decision(found, { decision: 'remove', expected_version: '2' }), /changed since you opened this page/],
    [decision(found, { decision: 'remove', expected_version: 'x' }), /was not accepted/],
  ]
  for (const [fields, says] of cases) {
    const page = await olga.refused(path, fields)
    assert.match(page, says, JSON.stringify(fields).slice(0, 200))
  }
  const kept = await olga.refused(path, decision(found, { decision: 'remove', reason_code: '', reason: 'Typed <b>' }))
  assert.ok(kept.includes('Typed &lt;b&gt;') && kept.includes('value="remove"'))
  const nowhere = await olga.send(`${moderation}/${randomUUID()}`, decision(found, { decision: 'remove' }))
  assert.equal(nowhere.status, 404)
  assert.deepEqual(await audited(w, found.id), [])
  // To approve is one press: no reason, and a code that fits whatever is sent.
  await olga.act(path, decision(found, { decision: 'approve', reason_code: 'spam', reason: '' }))
  const details = { kind: 'post', subject: found.subject.id, reason_code: 'ok', status: 'approved' }
  assert.deepEqual(await audited(w, found.id), [[olga.actor, 'moderation.approve', 'Approved', details]])
})

test('beside a decision is what was decided before, of its owner and of the like', async () => {
  const found = await reportedPost('Pastilles')
  const page = await olga.read(`${moderation}/${found.id}`)
  const ofOwner = /aria-labelledby="of-owner"[\s\S]*?<\/section>/.exec(page)?.[0] ?? ''
  assert.match(ofOwner, /Approved[\s\S]*No problem/)
  assert.ok(!page.includes('aria-labelledby="of-kind"'), 'of others nothing was decided yet')
  const other = await givenPost(bob, { title: 'Posters' })
  await reported(ada, { kind: 'post', id: other.id }, { text: 'Too many posters' })
  assert.match(await olga.read(`${moderation}/${(await caseAbout(bob, other)).id}`), /aria-labelledby="of-kind"/)
})

test('when two operators and a moderator decide at once, one decision counts', async () => {
  const found = await reportedPost('Potions')
  const path = `${moderation}/${found.id}`
  const [first, second, third] = await Promise.all([
    olga.send(path, decision(found, { decision: 'remove' })),
    otto.send(path, decision(found, { decision: 'approve', reason_code: 'ok' })),
    rule(mia, found, 'remove'),
  ])
  const done = [first.status, second.status, third.status === 200 ? 303 : third.status]
  assert.deepEqual(done.sort(), [303, 409, 409])
  const decisions = (await audited(w, found.id)).filter((entry) => (entry as string[])[1] !== 'moderation.look')
  assert.equal(decisions.length, 1)
})

test('only the console decides a suspension, and its history starts with it', async () => {
  const sal = await w.agent('sal')
  await w.operator('agent', 'suspend', 'sal', '--reason', 'It floods')
  const found = await caseAbout(sal)
  const path = `${moderation}/${found.id}`
  assert.ok(!(await olga.read(moderation)).includes(path), 'nothing waits')
  assert.match(await olga.read(`${moderation}?status=removed`), /selected>Removed or suspended</)
  for (const query of ['status=removed', 'kind=suspension&status=removed'])
    assert.ok((await olga.read(`${moderation}?${query}`)).includes(path), query)
  const standing = async () => /<p class="meta"><span class="chip">.*/.exec(await olga.read(path))?.[0]
  assert.equal(
    await standing(),
    '<p class="meta"><span class="chip">Suspended</span></p>',
    'not removed, and nothing waits',
  )
  await appealed(sal, found, { text: 'I do not' })
  assert.match((await standing()) ?? '', /Suspended<\/span> <span>Waiting for <time[^>]*>\d+ seconds?</)
  assert.ok((await olga.read(`${moderation}?kind=suspension`)).includes('I do not'))
  const page = await olga.read(path)
  assert.match(page, /id="history"[\s\S]*<strong>Agent suspended<\/strong>[\s\S]*It floods/)
  assert.ok(page.includes('value="restore"') && page.includes('value="remove"'), 'or is confirmed')
  assert.match(page, /It can do everything again[\s\S]*>Restore agent<\/button>/)
  assert.ok(!page.includes('show again'), 'nothing of it was hidden by a case')
  await olga.act(path, decision({ version: found.version + 1 }, { decision: 'restore', reason_code: 'ok' }))
  assert.equal((await sal.get('/bots/me')).status, 200)
  const details = { kind: 'profile', subject: sal.id, reason_code: 'ok', status: 'restored', measure: 'suspension' }
  assert.deepEqual(await audited(w, found.id), [[olga.actor, 'moderation.restore', 'So it is', details]])
})

test('what an appeal does not change is recorded as confirmed, of a suspension and of a removal', async () => {
  const tom = await w.agent('tom')
  await w.operator('agent', 'suspend', 'tom', '--reason', 'It floods')
  const suspended = await caseAbout(tom)
  const found = await reportedPost('Pellets')
  await olga.act(`${moderation}/${found.id}`, decision(found, { decision: 'remove' }))
  for (const [owner, { id, version }, name] of [
    [tom, suspended, 'Suspended'],
    [ada, { ...found, version: found.version + 1 }, 'Removed'],
  ] as const) {
    const path = `${moderation}/${id}`
    await appealed(owner, { id, version }, { text: 'I do not' })
    await otto.act(path, decision({ version: version + 1 }, { decision: 'remove', reason: 'It did' }))
    const page = await olga.read(path)
    assert.match(page, new RegExp(`<span class="chip">${name}<`), 'as it was')
    assert.match(page, /id="history"[\s\S]*<strong>Appeal decided: decision confirmed<\/strong>[\s\S]*It did/)
    const log = await olga.read(`/operator/audit?subject=${id}`)
    assert.match(log, /Appeal decided: decision confirmed<br>/)
    assert.equal(log.split('Case decided: removed<br>').length, name === 'Removed' ? 2 : 1)
  }
  assert.ok((await olga.read('/operator/audit?action=moderation.confirm')).includes(suspended.id))
})

test('texts of reviews are published or withheld', async () => {
  const path = '/operator/reviews'
  const ids: string[] = []
  for (const text of ['Fine work', 'Rude words']) {
    const order = await trade(w, bob, ada, 'accepted')
    const { body } = await bob.post(`/orders/${order.id}/reviews`, reviewBody('customer', { text }))
    ids.push(body.review.id)
  }
  const [fine = '', rude = ''] = ids
  const page = await olga.read(path)
  assert.ok(page.indexOf('Fine work') < page.indexOf('Rude words'), 'the oldest first')
  const judged = (id: string, fields: Record<string, string>) => ({
    action: 'judge',
    form: `${fields['verdict']}-${id}`,
    review_id: id,
    ...fields,
  })
  for (const fields of [{ verdict: '' }, { verdict: 'x' }]) await olga.refused(path, judged(fine, fields))
  for (const reason of ['', 'x'.repeat(2001)])
    assert.ok((await olga.refused(path, judged(fine, { verdict: 'reject', reason }))).includes('<details open>'))
  await olga.refused(path, judged(randomUUID(), { verdict: 'approve' }))
  await olga.refused(path, judged('x', { verdict: 'approve' }))
  const all = await Promise.all([
    ...Array.from({ length: 10 }, () => olga.send(path, judged(fine, { verdict: 'approve', reason: '' }))),
    ...Array.from({ length: 10 }, () => otto.send(path, judged(fine, { verdict: 'approve' }))),
  ])
  assert.equal(all.filter(({ status }) => status === 303).length, 1)
  assert.match(
    await otto.refused(path, judged(fine, { verdict: 'approve' })),
    /Last recorded here: “Case decided: approved”, operator:o(lga|tto)@op\.example/,
  )
  await otto.act(path, judged(rude, { verdict: 'reject', reason: 'Rude' }))
  const texts = await w.sql`select text_status from reviews where id = any(${ids}::uuid[]) order by id`
  assert.deepEqual(
    texts.map(({ text_status: status }) => status),
    ['approved', 'rejected'],
  )
  assert.ok((await olga.read(`${path}?done=judge`)).includes('No texts awaiting approval'))
  const [of] = await w.sql<{ id: string }>`select id from moderation_cases where subject_id = ${rude}`
  const details = { kind: 'review', subject: rude, reason_code: 'other', status: 'rejected' }
  assert.deepEqual(await audited(w, of?.id as string), [[otto.actor, 'moderation.reject', 'Rude', details]])
})

test('ready-made works are approved or rejected', async () => {
  const path = '/operator/ready'
  const made: string[] = []
  for (const title of ['Round', 'Square']) {
    const { order, files } = await acceptedOrder(w, bob, ada)
    const work = await proposed(ada, order, files, { service: { title } })
    made.push((await agreed(ada, bob, work)).service.id)
  }
  const [round = '', square = ''] = made
  const page = await olga.read(path)
  for (const said of [
    'Round',
    'Square',
    'Print it large',
    'Its author reads the reason',
    '100.00\u00a0test credits',
    '@ada',
    '@bob',
  ])
    assert.ok(page.includes(said), said)
  const judged = (id: string, fields: Record<string, string>) => ({
    action: 'judge',
    form: `${fields['verdict']}-${id}`,
    service_id: id,
    ...fields,
  })
  assert.match(page, /type="submit">Approve<span class="heard"> <bdi>Round<\/bdi><\/span><\/button>/)
  assert.match(page, /<summary>Reject with a reason<span class="heard"> <bdi>Square<\/bdi><\/span><\/summary>/)
  for (const [id, title] of [
    [round, 'Round'],
    [square, 'Square'],
  ]) {
    assert.ok(page.includes(`<form class="act-form" method="post" aria-labelledby="reject-${id}-send">`))
    assert.match(page, new RegExp(`id="reject-${id}-send">Reject<span class="heard"> <bdi>${title}<`), 'its own name')
  }
  const [, shown = ''] = /href="(\/operator\/moderation\/[^"]+)"/.exec(page) ?? []
  assert.match(await olga.read(`${moderation}?kind=service`), /Service: <bdi>Round<\/bdi>/)
  assert.match(await olga.read(shown), /<h1>Service: <bdi>Round<\/bdi><\/h1>/)
  assert.match(await olga.read(shown), /<details open><summary>[\s\S]*?<img src="[^"]+"/, 'its files are seen at once')
  await olga.refused(path, judged(round, { verdict: '' }))
  await olga.refused(path, judged(square, { verdict: 'reject', reason: '' }))
  await olga.refused(path, judged(randomUUID(), { verdict: 'approve' }))
  await olga.act(path, judged(round, { verdict: 'approve', reason: '' }))
  await olga.act(path, judged(square, { verdict: 'reject', reason: 'Not round' }))
  await olga.refused(path, judged(square, { verdict: 'approve' }))
  assert.equal((await bob.get(`/services/${round}`)).status, 200)
  const card = await ada.get(`/services/${square}`)
  assert.notEqual(card.body.service?.state, 'published')
  assert.ok((await olga.read(path)).includes('Nothing awaiting approval'))
})

test('what is decided waits for nobody, and the newest is first', async () => {
  const approved = await olga.read(`${moderation}?status=approved`)
  const ids = [...approved.matchAll(/operator\/moderation\/([0-9a-f-]{36})"/g)].map(([, id]) => id)
  assert.ok(ids.length > 1)
  assert.deepEqual(ids, ids.toSorted().reverse())
  assert.ok(approved.includes('data-label="Opened"') && !approved.includes('Waiting for'))
})

test('feedback is answered with a status and a response; the log keeps only a reason, if there is one', async () => {
  const problem = await filed(ada, 'problem', { title: 'It fails', body: 'At once' })
  const path = `/operator/feedback/${problem.id}`
  assert.ok((await olga.read('/operator/feedback')).includes(path))
  assert.ok((await olga.read(path)).includes('At once'))
  const reply = (fields: Record<string, string>) => ({
    action: 'answer',
    status: 'planned',
    response: 'We look into it',
    expected_version: String(problem.version),
    reason: 'Known since May',
    ...fields,
  })
  for (const [fields, says] of [
    [{ status: '' }, /Choose a status/],
    [{ status: 'received' }, /Choose a status/],
    [{ response: ' ' }, /at most 5,000/],
    [{ response: 'x'.repeat(5001) }, /at most 5,000/],
    [{ expected_version: '7' }, /changed since you opened this page/],
  ] as const)
    assert.match(await olga.refused(path, reply(fields)), says)
  assert.ok(!(await olga.read(path)).includes('name="reason"'), 'one text')
  await olga.act(path, reply({}))
  assert.match(
    await otto.refused(path, reply({ status: 'declined' })),
    /Last recorded here: “Feedback answered”, operator:olga@op\.example/,
  )
  const details = { status: 'planned', version: problem.version + 1 }
  assert.deepEqual(await audited(w, problem.id), [[olga.actor, 'feedback.answer', 'Known since May', details]])
  const own = await ada.get(`/feedback/${problem.id}`)
  assert.equal(code(own), '200')
  assert.deepEqual([own.body.feedback.status, own.body.feedback.response], ['planned', 'We look into it'])
  assert.ok(!JSON.stringify(own.body).includes('Known since May'))
  assert.ok(!(await olga.read('/operator/feedback')).includes(path))
  assert.ok((await olga.read('/operator/feedback?status=planned&category=problem')).includes(path))
})

test('details are told in words, and as they are if another version recorded them', async () => {
  const subject = randomUUID()
  const details: [string, Entry['details'], english: string, russian: string][] = [
    ['agent.suspend', { reason_code: 'fraud' }, 'Reason code: Fraud', 'Код причины: Мошенничество'],
    ['credits.grant', { amount_minor: 1250 }, 'Amount: 12.50\u00a0test credits', 'Сумма: 12,50\u00a0тестового кредита'],
    ['staff.assign', { role: 'moderator' }, 'Role: Moderator', 'Роль: Модератор'],
    ['mail.drop', { kind: 'session_code' }, 'Type: Sign-in code', 'Тип: Код входа'],
    [
      'moderation.confirm',
      { measure: 'suspension', status: 'removed' },
      'Status: Suspended',
      'Состояние: Приостановлен',
    ],
    ['moderation.look', { kind: 'project_case' }, 'Type: Project case', 'Тип: Проект'],
    ['feedback.answer', { status: 'planned' }, 'Status: Planned', 'Состояние: Запланировано'],
    ['console.search', { sought: 'name', found: 1234 }, 'Found: 1,234', 'Найдено: 1\u00a0234'],
    ['session.begin', { by: 'passkey' }, 'Method: Passkey', 'Способ входа: Ключ доступа'],
    ['passkey.rename', { from: 'terms', to: '<b>' }, 'New name: <bdi>&lt;b&gt;<', 'Новое имя: <bdi>&lt;b&gt;<'],
    ['later.action', { colour: 'fraud' }, '<code>colour</code>: <bdi>fraud<', '<code>colour</code>: <bdi>fraud<'],
  ]
  for (const [action, given] of details) {
    await w.sql`
      insert into audit_log (id, actor, action, subject, reason, details, created_at)
      values (${newId(w.now())}, 'operator:late@op.example', ${action}, ${subject}, null, ${JSON.stringify(given)}::json,
        ${w.now()})`
  }
  const [english, russian] = [
    await olga.read(`/operator/audit?subject=${subject}`),
    await olga.read(`/operator/audit?subject=${subject}&lang=ru`),
  ]
  for (const [action, , inEnglish, inRussian] of details) {
    assert.ok(english.includes(`<div>${inEnglish}`), `${action} ${inEnglish}`)
    assert.ok(russian.includes(`<div>${inRussian}`), `${action} ${inRussian}`)
  }
})
