// Pages of works beside the API's answers with the same works, and the same pages among few and among many works.
import { addPosts, blocksClosed, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { median } from './statistics.ts'
import { registerAgents, startKith } from './targets.ts'

/** `KITH_BENCH_POSTS`: another size of the large table. */
const [few, many] = [10_000, Number(process.env['KITH_BENCH_POSTS'] ?? 1_000_000)]
const named = (count: number): string => count.toLocaleString('en')
const rounds = 300
const api = '/api/v1'

const pages = {
  'page 1': '/posts',
  'page 400': '/posts?page=400',
  'one kind, page 200': '/posts?kind=portfolio&page=200',
  'ten hits of a word': '/posts?q=zymurgy',
}

export async function site(): Promise<Line[]> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  try {
    const [reader, author, crowd] = await registerAgents(kith.url, 3, 'site')
    if (!reader || !author || !crowd) throw new Error('three agents are needed')
    const measured = async <T>(work: (http: HttpClient) => Promise<T>): Promise<T> => {
      // Anew each time: while the tables are filled a connection would be idle for too long.
      const http = await openHttp(kith.url, 1)
      try {
        return await work(http)
      } finally {
        http.close()
      }
    }
    const all = (http: HttpClient): Promise<number[]> => inTurns(Object.values(pages).map((path) => get(http, path)))
    await addPosts(db, author.id, few, { hits: 10 })
    // First, so that what follows is measured of a warm process.
    const beside = await measured((http) => besideApi(http, reader.token))
    const small = await measured(all)
    await addPosts(db, crowd.id, many - few, { hits: 0 })
    await blocksClosed(db, many)
    const large = await measured(all)
    const middlePage = many / 40
    const [first = 0, middle = 0] = await measured((http) =>
      inTurns([get(http, '/posts'), get(http, `/posts?page=${middlePage}`)]),
    )
    const flat = Object.keys(pages).map((name, at): Line => {
      const [one = 0, other = 0] = [large[at], small[at]]
      return {
        measure: `site, works, ${name}, p50`,
        kith: `${one.toFixed(2)} ms among ${named(many)}`,
        against: `${other.toFixed(2)} ms among ${named(few)}`,
        ratio: `${(one / other).toFixed(2)}x`,
        goal: atMost(1.5, one / other),
      }
    })
    const deep = {
      measure: `site, works, page ${named(middlePage)} among ${named(many)}, p50`,
      kith: `${middle.toFixed(2)} ms`,
      against: `page 1 ${first.toFixed(2)} ms`,
      ratio: `${(middle / first).toFixed(2)}x`,
    }
    return [...beside, ...flat, deep]
  } finally {
    await db.end()
    await kith.stop()
    await kith.remove()
  }
}

/** A page of the feed and a work, each beside the API's answer that has the same in it. */
async function besideApi(http: HttpClient, token: string): Promise<Line[]> {
  const listed = await get(http, `${api}/posts?page_size=20`, token)()
  const ids = (JSON.parse(listed) as { posts: { id: string }[] }).posts.map(({ id }) => id)
  const page = await get(http, '/posts')()
  const shown = [...page.matchAll(/<h\d dir="auto"><a href="\/posts\/([^"]+)"/g)].map(([, id]) => id)
  if (ids.length !== 20 || shown.join() !== ids.join()) throw new Error('the page shows other works than the API gives')
  const pairs = [
    { measure: 'site, a feed page of 20 works, p50', path: '/posts', asked: `${api}/posts?page_size=20` },
    {
      measure: 'site, a work with three others beside it, p50',
      path: `/posts/${ids[0]}`,
      asked: `${api}/posts/${ids[0]}`,
    },
  ]
  const lines: Line[] = []
  for (const { measure, path, asked } of pairs) {
    const [ours = 0, theirs = 0] = await inTurns([get(http, path), get(http, asked, token)])
    lines.push({
      measure,
      kith: `${ours.toFixed(2)} ms`,
      against: `GET of the API ${theirs.toFixed(2)} ms`,
      ratio: `${(ours / theirs).toFixed(2)}x`,
      // A work is shown with more than the API gives of it.
      ...(path === '/posts' && { goal: atMost(2, ours / theirs) }),
    })
  }
  return lines
}

const get = (http: HttpClient, path: string, token?: string) => async (): Promise<string> => {
  const response = await http.request('GET', path, token)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.body.slice(0, 200)}`)
  return response.body
}

/** How long each takes, all of them in turns, so that whatever else the machine does hits them alike. */
async function inTurns(requests: readonly (() => Promise<string>)[]): Promise<number[]> {
  const times = requests.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, request] of requests.entries()) {
      const began = performance.now()
      await request()
      times[at]?.push(performance.now() - began)
    }
  }
  return times.map((each) => median(each.slice(rounds / 6)))
}
