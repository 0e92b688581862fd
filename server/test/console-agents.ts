// Where the pages of the console about agents, roles and disputes are met, with hostile things on each.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { customer, humanOffer, orderPath, type Party } from './customers.ts'
import { assign } from './editorial.ts'
import { operatorSession } from './operators.ts'
import { trade } from './orders.ts'
import type { Example } from './page-examples.ts'
import { hostile } from './pages.ts'
import { appoint } from './staff.ts'
import { befriend, type World } from './world.ts'

/** By the path of the page. */
export function agentExamples(w: World): Readonly<Record<string, Example>> {
  const cookie = async (): Promise<string> => (await operatorSession(w, 'olga@operators.example')).cookie

  /** Agents of every standing, and disputes in every queue, once for all pages. */
  let lived: Promise<{ escalated: string; open: string; human: string; customer: string }> | undefined
  const living = () => {
    lived ??= live(w)
    return lived
  }
  const at = (
    there: (found: Awaited<ReturnType<typeof live>>) => readonly string[],
    ...missing: string[]
  ): Example => ({ there: async () => there(await living()), missing, cookie, tells: true })

  return {
    '/operator': at(() => ['/operator']),
    '/operator/agents': at(
      () => ['/operator/agents', '/operator/agents?filter=suspended'],
      ...['page=0', 'page=51', 'page=2', 'filter=', 'filter=x'].map((query) => `/operator/agents?${query}`),
    ),
    '/operator/agents/{handle}': at(
      () => ['/operator/agents/kaj', '/operator/agents/kim', '/operator/agents/kim?side=contractor&state=disputed'],
      ...['nobody', 'KAJ', '%00', 'x'.repeat(5000), 'kaj?side=x', 'kaj?page=2'].map(
        (handle) => `/operator/agents/${handle}`,
      ),
    ),
    '/operator/search': at(() => ['/operator/search']),
    '/operator/customers': at(
      () => ['/operator/customers', '/operator/customers?filter=suspended'],
      ...['page=0', 'page=2', 'page=51', 'filter=x', 'filter=suspended&filter='].map(
        (query) => `/operator/customers?${query}`,
      ),
    ),
    '/operator/customers/{customer_id}': at(
      ({ customer: id }) => [`/operator/customers/${id}`],
      ...['x', '%00', randomUUID(), 'x'.repeat(5000)].map((id) => `/operator/customers/${id}`),
    ),
    '/operator/orders/{order_id}': at(
      ({ escalated, human }) => [escalated, human].map((id) => `/operator/orders/${id}`),
      ...['x', '%00', randomUUID(), 'x'.repeat(5000)].map((id) => `/operator/orders/${id}`),
    ),
    '/operator/operators': at(() => ['/operator/operators'], '/operator/operators?page=9'),
    '/operator/staff': at(() => ['/operator/staff'], '/operator/staff?page=2', '/operator/staff?page=0'),
    '/operator/authors': at(() => ['/operator/authors'], '/operator/authors?page=2', '/operator/authors?page=0'),
    '/operator/disputes': at(
      () => ['/operator/disputes', '/operator/disputes?state=open', '/operator/disputes?state=resolved'],
      ...['page=0', 'page=2', 'page=1001', 'state=', 'state=x'].map((query) => `/operator/disputes?${query}`),
    ),
    '/operator/disputes/{order_id}': at(
      ({ escalated, open, human }) => [escalated, open, human].map((id) => `/operator/disputes/${id}`),
      ...['x', '%00', randomUUID(), 'x'.repeat(5000)].map((id) => `/operator/disputes/${id}`),
    ),
  }
}

async function live(w: World): Promise<{ escalated: string; open: string; human: string; customer: string }> {
  const kaj = await w.agentWithEmail('kaj', 'kaj@owners.example')
  const kim = await w.agentWithEmail('kim', 'kim@owners.example')
  await befriend(kaj, kim)
  const words = { title: hostile, description: `${hostile}\n\n${hostile}` }
  const escalated = await trade(w, kaj, kim, 'escalated', words)
  const open = await trade(w, kaj, kim, 'disputed', words)
  const decided = await trade(w, kaj, kim, 'escalated', words)
  await w.operator('disputes', 'decide', decided.id, 'resume', '--reason', hostile)
  const person = await customer(w, 'Petra')
  const human = await humanOffer(w, person, kim, words)
  const taken = { confirmed_total_minor: human.total_minor }
  const moves: [Party, string, object][] = [
    [kim, 'accept', taken],
    [person, 'dispute', { reason: hostile }],
    [person, 'escalate-dispute', { reason: hostile }],
  ]
  let version = human.version
  for (const [who, action, fields] of moves) {
    const json = { operation_id: randomUUID(), expected_version: version, ...fields }
    const answer = await who.post(`${orderPath(who, human)}/${action}`, json)
    assert.equal(answer.status, 200, `${action}: ${JSON.stringify(answer.body)}`)
    version = answer.body.order.version
  }
  await w.sql`update humans set display_name = ${hostile} where id = ${person.id}`
  await w.sql`update agents set display_name = ${hostile} where handle in ('kaj', 'kim')`
  await w.sql`update dispute_cases set reason = ${hostile} where order_id = any(${[escalated.id, open.id, human.id]}::uuid[])`
  await appoint(w, kim, 'support')
  await assign(w, kim)
  await w.operator('credits', 'grant', 'kaj', '1250', '--reason', hostile)
  await w.operator('agent', 'suspend', 'kaj', '--reason', hostile, '--code', 'fraud')
  await w.sql`
    insert into daily_figures (day, name, value)
    select date_trunc('day', ${w.now()}::timestamptz, 'UTC') - n * interval '24 hours', name, (37 * (30 - n) + length(name) * n) % 90 * 1000
    from generate_series(1, 29) n, unnest(array['agents', 'messages', 'orders', 'credits', 'storage', 'refused']) name
    on conflict do nothing`
  await w.operator('customer', 'suspend', person.id, '--reason', hostile)
  return { escalated: escalated.id, open: open.id, human: human.id, customer: person.id }
}
