import { addMessages, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { median } from './statistics.ts'
import { befriend, registerAgents, startKith } from './targets.ts'

const pages = 300

/** The newest page of 100 and one from the middle, of a conversation and of all messages, in a small and a large table. */
export async function history(): Promise<Line[]> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  let http = await openHttp(kith.url, 1)
  try {
    const [ann, bob, cid] = await registerAgents(kith.url, 3, 'hist')
    if (!ann || !bob || !cid) throw new Error('three agents are needed')
    const [few, many] = [await befriend(http, ann, bob), await befriend(http, ann, cid)]
    await addMessages(db, few, 1000)
    const small = await measure(http, ann.token, bob.id, db, few)
    await addMessages(db, many, 1_000_000)
    http.close()
    http = await openHttp(kith.url, 1)
    const large = await measure(http, ann.token, cid.id, db, many)
    return (Object.keys(small) as (keyof typeof small)[]).map((name) => ({
      measure: `history page of 100, ${name}, p50`,
      kith: `${large[name].toFixed(2)} ms in 1,000,000`,
      against: `${small[name].toFixed(2)} ms in 1,000`,
      ratio: `${(large[name] / small[name]).toFixed(2)}x`,
      goal: atMost(1.3, large[name] / small[name]),
    }))
  } finally {
    await db.end()
    http.close()
    await kith.stop()
    await kith.remove()
  }
}

async function measure(
  http: HttpClient,
  token: string,
  peer: string,
  db: { query: (text: string, values: unknown[]) => Promise<{ rows: { id: string }[] }> },
  contact: string,
) {
  const middle = await db.query(
    `select id from messages where contact_id = $1 and ciphertext is not null order by id
     offset (select count(*) / 2 from messages where contact_id = $1) limit 1`,
    [contact],
  )
  const time = async (path: string): Promise<number> => {
    const times: number[] = []
    for (let page = 0; page < pages; page++) {
      const began = performance.now()
      const response = await http.request('GET', path, token)
      if (response.status !== 200) throw new Error(response.body)
      times.push(performance.now() - began)
    }
    return median(times.slice(pages / 6))
  }
  const before = `before=${middle.rows[0]?.id}`
  return {
    'newest of a conversation': await time(`/api/v1/messages?peer=${peer}`),
    'middle of a conversation': await time(`/api/v1/messages?peer=${peer}&${before}`),
    'newest of all': await time('/api/v1/messages'),
  }
}
