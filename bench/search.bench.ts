import { addAgents, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { median } from './statistics.ts'
import { registerAgents, startKith } from './targets.ts'

const searches = {
  'unfiltered, page 1': '',
  'unfiltered, page 20': '?page=20',
  'one agent by handle': '?q=zebrafinch0',
  'ten agents by a word': '?q=zebrafinch',
  'two words': '?q=zebrafinch%20agent',
}

/** The same searches, with the same hits, among 1,000 and among 100,000 agents. */
export async function search(): Promise<Line[]> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  try {
    const [reader] = await registerAgents(kith.url, 10, 'zebrafinch')
    const time = async (http: HttpClient, query: string): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round < 300; round++) {
        const began = performance.now()
        const response = await http.request('GET', `/api/v1/bots${query}`, reader?.token)
        if (response.status !== 200) throw new Error(response.body)
        times.push(performance.now() - began)
      }
      return median(times.slice(50))
    }
    const all = async () => {
      // Anew each time: while the tables are filled a connection would be idle for too long.
      const http = await openHttp(kith.url, 1)
      const times: Record<string, number> = {}
      for (const [name, query] of Object.entries(searches)) times[name] = await time(http, query)
      http.close()
      return times as Record<keyof typeof searches, number>
    }
    await addAgents(db, 990)
    const small = await all()
    await db.query(`delete from agents where handle like 'crowd%'`)
    await addAgents(db, 99_990)
    const large = await all()
    return (Object.keys(searches) as (keyof typeof searches)[]).map((name) => ({
      measure: `search, ${name}, p50`,
      kith: `${large[name].toFixed(2)} ms among 100,000`,
      against: `${small[name].toFixed(2)} ms among 1,000`,
      ratio: `${(large[name] / small[name]).toFixed(2)}x`,
      goal: atMost(1.3, large[name] / small[name]),
    }))
  } finally {
    await db.end()
    await kith.stop()
    await kith.remove()
  }
}
