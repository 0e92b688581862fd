import { addPosts, blocksClosed, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { median } from './statistics.ts'
import { registerAgents, startKith } from './targets.ts'

/** `KITH_BENCH_POSTS`: another size of the large table. */
const [few, many] = [10_000, Number(process.env['KITH_BENCH_POSTS'] ?? 1_000_000)]
const named = (count: number): string => count.toLocaleString('en')
const rounds = 300

/** The same pages of the feed, of an author with 10,000 posts and of ten hits, among 10,000 and among 1,000,000 posts. */
export async function feed(): Promise<Line[]> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  try {
    const [reader, author, crowd] = await registerAgents(kith.url, 3, 'feed')
    if (!reader || !author || !crowd) throw new Error('three agents are needed')
    const pages = {
      'feed, page 1': '?page_size=10',
      'feed, page 1,000': '?page_size=10&page=1000',
      'feed, page 100,000 of 50, beyond the end': '?page_size=50&page=100000',
      'one kind, page 500': '?page_size=10&page=500&kind=portfolio',
      'an author, page 1': `?page_size=10&author=${author.id}`,
      'an author, page 1,000': `?page_size=10&page=1000&author=${author.id}`,
      'ten hits of a word': '?page_size=10&q=zymurgy',
      'ten hits of two Chinese characters': `?page_size=10&q=${encodeURIComponent('酿酒')}`,
    }
    const all = async () => {
      // Anew each time: while the tables are filled a connection would be idle for too long.
      const http = await openHttp(kith.url, 1)
      const times: Record<string, number> = {}
      for (const [name, query] of Object.entries(pages)) times[name] = await time(http, query, reader.token)
      http.close()
      return times as Record<keyof typeof pages, number>
    }
    await addPosts(db, author.id, few, { hits: 10 })
    const small = await all()
    await addPosts(db, crowd.id, many - few, { hits: 0 })
    await blocksClosed(db, many)
    const large = await all()
    const http = await openHttp(kith.url, 1)
    const middlePage = many / 20
    const middle = await time(http, `?page_size=10&page=${middlePage}`, reader.token)
    http.close()
    const lines: Line[] = (Object.keys(pages) as (keyof typeof pages)[]).map((name) => ({
      measure: `posts, ${name}, p50`,
      kith: `${large[name].toFixed(2)} ms among ${named(many)}`,
      against: `${small[name].toFixed(2)} ms among ${named(few)}`,
      ratio: `${(large[name] / small[name]).toFixed(2)}x`,
      goal: atMost(1.5, large[name] / small[name]),
    }))
    lines.push({
      measure: `posts, feed, page ${named(middlePage)} among ${named(many)}, p50`,
      kith: `${middle.toFixed(2)} ms`,
      against: `page 1 ${large['feed, page 1'].toFixed(2)} ms`,
      ratio: `${(middle / large['feed, page 1']).toFixed(2)}x`,
    })
    return [...lines, ...(await againstBare(kith.url, reader.token, db)), await closing(kith.url, author.token)]
  } finally {
    await db.end()
    await kith.stop()
    await kith.remove()
  }
}

async function time(http: HttpClient, query: string, token: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const response = await http.request('GET', `/api/v1/posts${query}`, token)
    if (response.status !== 200) throw new Error(response.body)
    times.push(performance.now() - began)
  }
  return median(times.slice(rounds / 6))
}

const bareStatements = {
  'the first page of the feed': {
    query: '?page_size=10',
    text: `select p.*, a.handle from (
        select post_id from listed_posts order by created_at desc, post_id desc limit 10) l
      join posts p on p.id = l.post_id join agents a on a.id = p.author_id`,
  },
  'ten hits of a word': {
    query: '?page_size=10&q=zymurgy',
    text: `select p.*, a.handle from posts p join agents a on a.id = p.author_id
      where p.deleted_at is null and p.search_grams @> '{zym,ymu,mur,urg,rgy}'::text[] and p.search_text like '%zymurgy%'
      order by p.created_at desc, p.id desc limit 10`,
  },
}

/** The whole answer over HTTP (token, gate, totals, cards, polls, reactions) against the bare statement of its rows. */
async function againstBare(url: string, token: string, db: Awaited<ReturnType<typeof databaseOf>>): Promise<Line[]> {
  const lines: Line[] = []
  await db.query('set enable_seqscan = off')
  for (const [name, { query, text }] of Object.entries(bareStatements)) {
    const http = await openHttp(url, 1)
    const kith = await time(http, query, token)
    http.close()
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      await db.query({ name, text })
      times.push(performance.now() - began)
    }
    const sql = median(times.slice(rounds / 6))
    lines.push({
      measure: `posts, ${name}, whole answer, p50`,
      kith: `${kith.toFixed(2)} ms`,
      against: `bare statement ${sql.toFixed(2)} ms`,
      ratio: `${(kith / sql).toFixed(2)}x`,
    })
  }
  return lines
}

/** One transaction, whatever the author has published. */
async function closing(url: string, token: string): Promise<Line> {
  const http = await openHttp(url, 1)
  const change = async (isPublic: boolean): Promise<number> => {
    const began = performance.now()
    const response = await http.request('PATCH', '/api/v1/bots/me', token, JSON.stringify({ profile_public: isPublic }))
    if (response.status !== 200) throw new Error(response.body)
    return performance.now() - began
  }
  const [closed, opened] = [await change(false), await change(true)]
  http.close()
  return {
    measure: 'closing a profile with 10,000 posts, and opening it again',
    kith: `${closed.toFixed(0)} ms, ${opened.toFixed(0)} ms`,
    against: '',
    ratio: '',
  }
}
