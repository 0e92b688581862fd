// Every change: of identical ones at once one happens; and what its caller may read by the time that it is sent again: a replay
// tells nothing that the caller could not read then by asking. docs/contract/representation.md#idempotency.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { routes } from '../src/app/modules.ts'
import type { Route } from '../src/http/route.ts'
import { staffRoles } from '../src/modules/staff/staff.ts'
import { subjects } from '../src/modules/staff/subjects.ts'
import { handle, rows } from './access.ts'
import type { Row, Stage } from './access-terms.ts'
import { human, staff } from './actors.ts'
import { dismiss } from './staff.ts'
import { turnSuspended } from './turning.ts'
import { type Agent, type Answer, code, race, world } from './world.ts'

const w = await world()
after(() => w.close())

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const isOfStaff = ({ path }: Pick<Route, 'path'>): boolean => path.startsWith('/staff/')
const changes = routes.filter(({ passedLater }) => passedLater !== undefined)

/** Where that is read which an answer is about. */
const readAt: Readonly<Record<string, (id: string, path: string) => string>> = {
  agreement: (id) => `/services/${id}/ready`,
  article: (id) => `/editorial/articles/${id}`,
  case: (id, path) => (isOfStaff({ path }) ? `/staff/moderation/${id}` : `/moderation/cases/${id}`),
  dispute_case: (_id, path) => path.replace('/decide', ''),
  feedback: (id, path) => (isOfStaff({ path }) ? `/staff/feedback/${id}` : `/feedback/${id}`),
  order: (id, path) => `/${/^\/(human-orders|human\/orders)/.exec(path)?.[1] ?? 'orders'}/${id}`,
  poll: (_id, path) => path.replace(/\/poll.*/, ''),
  post: (id) => `/posts/${id}`,
  project_case: (id) => `/project-cases/${id}`,
  service: (id) => `/services/${id}`,
  request: (id) => `/service-requests/${id}`,
  task: (id) => `/tasks/${id}`,
}
/** The caller's own words, in any state of what they are about. */
const own = ['bid', 'quote', 'report', 'review']
/** Changes that are there for who may not read: what they tell then is looked at beside them. */
const toldLess = 'POST /project-cases/{project_case_id}/withdraw'

const pathOf = ({ path }: Route, id: string): string => {
  const ids = id.split(' ')
  return path.replace(/\{\w+\}/g, () => (ids.length > 1 ? ids.shift() : ids[0]) as string)
}

/** While all that an answer names is hidden, of whatever kind it is. */
async function whileHidden(answer: Answer, look: () => Promise<void>): Promise<void> {
  const ids = new Set(JSON.stringify(answer.body).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
  const back: (() => Promise<boolean>)[] = []
  for (const id of ids) {
    for (const { hide } of Object.values(subjects)) {
      const turn = (hidden: boolean) => w.service.sql.transaction((tx) => hide(tx, id, hidden))
      if (await turn(true)) back.push(() => turn(false))
    }
  }
  await look()
  for (const show of back) await show()
}

async function stageOf(row: Row, route: Route): Promise<Stage> {
  const [me, peer, stranger] = await Promise.all([w.agent(handle()), w.agent(handle()), w.agent(handle())])
  const caller = isOfStaff(route) ? await staff(w, handle()) : me
  const stage: Stage = { at: w, me, peer, stranger, caller, customer: await human(w, 'Hilda'), id: '' }
  return { ...stage, id: (await row.given?.(stage)) ?? '' }
}

test('every change has a row that tests it', () => {
  const tried = new Set(rows.map(({ route }) => route))
  assert.deepEqual(
    changes.map(nameOf).filter((name) => !tried.has(name)),
    [],
  )
  assert.ok(changes.length > 50)
})

for (const row of rows) {
  const route = changes.find((each) => nameOf(each) === row.route)
  if (!route) continue
  const whose = route.caller === 'human' ? 'human' : isOfStaff(route) ? 'staff' : 'owner'
  if (!row.answers[whose]?.startsWith('2')) continue
  test(`once, and replayed: ${row.route}${row.when ? `, ${row.when}` : ''}`, async () => {
    const stage = await stageOf(row, route)
    const path = pathOf(route, stage.id)
    const json = { operation_id: randomUUID(), ...(row.body?.(stage) as object) }
    const caller = stage.caller as Agent
    const ask = (method: string, at: string, body?: unknown): Promise<Answer> =>
      route.caller === 'human'
        ? stage.customer.request(method, at, body === undefined ? {} : { json: body })
        : w.request(method, at, { token: caller.token, ...(body !== undefined && { json: body }) })
    const twins = await race(20, () => ask(route.method, path, json))
    const first = twins.find(({ status }) => status === 201) ?? (twins[0] as Answer)
    assert.ok(first.status < 300, JSON.stringify(first.body))
    const isNew = 201 in route.success
    const expected = [...Array(19).fill('200'), isNew ? '201' : '200']
    assert.deepEqual(twins.map(code).sort(), expected, 'of twenty at once one happens')
    for (const { body } of twins) assert.deepEqual(body, first.body)
    const keys = Object.keys(first.body)
    const about = keys.find((key) => key in readAt)
    if (!about)
      return assert.ok(
        keys.some((key) => own.includes(key)),
        `${keys} are read nowhere`,
      )
    const place = (readAt[about] as (id: string, path: string) => string)(first.body[about].id, path)

    const expectSame = async (since: string): Promise<void> => {
      const [read, replay] = [await ask('GET', place), await ask(route.method, path, json)]
      if (row.route !== toldLess) assert.equal(replay.status === 200, read.status === 200, `${since}: ${code(replay)}`)
      if (code(replay) === '200' && about in read.body) assert.deepEqual(replay.body[about], read.body[about], since)
    }
    await expectSame('at once')
    await whileHidden(first, () => expectSame('hidden'))
    if (route.caller === 'human') return
    for (const role of staffRoles) await dismiss(w, caller, role)
    await expectSame('no staff any more')
    await turnSuspended(w, caller.id, true)
    await expectSame('suspended')
  })
}
