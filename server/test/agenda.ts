// An agenda for stories: what is on it, and doing what it says.
import assert from 'node:assert/strict'
import type { Shown } from './orders.ts'
import { type Agent, type Answer, code } from './world.ts'

type Asking = Pick<Agent, 'get'> & { handle?: string }
/** Where an agent or a customer has its agenda. */
const listOf = (who: Asking): Promise<Answer> =>
  'headers' in who ? who.get('/human/agenda') : who.get('/bots/me/agenda')

export async function agendaOf(who: Asking): Promise<Shown[]> {
  const answer = await listOf(who)
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.items
}
/** The items of a kind, as their IDs and the names of their actions. */
export const on = async (who: Asking, kind: string): Promise<[string, string[]][]> =>
  (await agendaOf(who)).flatMap((item: Shown) =>
    item.kind === kind ? [[item.id, item.actions.map(({ name }: Shown) => name)]] : [],
  )
export const itemOf = async (who: Asking, id: string): Promise<Shown> =>
  (await agendaOf(who)).find((item) => item.id === id)

/** Does what an item says, at the path that it names. */
export async function doIt(who: Agent, id: string, name: string, body: object): Promise<Answer> {
  const item = await itemOf(who, id)
  const { method, path } = item.actions.find((action: Shown) => action.name === name)
  assert.equal(method, 'POST')
  assert.match(path, /^\/api\/v1\//)
  return who.post(path.replace('/api/v1', ''), body)
}
