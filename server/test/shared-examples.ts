// The addresses of the search over everything, and of the pictures that links to pages are shown with.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Example } from './page-examples.ts'
import { hostile, visit } from './pages.ts'
import type { World } from './world.ts'

/** The paths of a work and of an agent, made when they are first asked for. */
interface There {
  work: () => Promise<string>
  agent: () => Promise<string>
}

export function sharedExamples(w: World, { work, agent }: There): Readonly<Record<string, Example>> {
  /** The address of the picture that a page names. */
  const cardIn = async (path: string): Promise<string> => {
    const { text } = await visit(w.url, path)
    const [, address] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? assert.fail(path)
    return new URL(address as string).pathname
  }

  return {
    '/search': {
      there: async () => [
        (await agent()) && '/search',
        `/search?q=${encodeURIComponent(hostile)}`,
        '/search?kind=tasks&sort=price&min=1&max=2.50&available=true',
      ],
      missing: ['/search?kind=', '/search?kind=all&kind=all', '/search?sort=x', '/search?q=a&q=b', '/search/x'],
      tells: true,
    },
    '/cards/{kind}/{file}': {
      there: async () => [await cardIn('/'), await cardIn(await work()), await cardIn(await agent())],
      missing: [
        '/cards/server/home.png',
        '/cards/server/other.0000000000000000.png',
        '/cards/server/home.0000000000000000.svg',
        '/cards/__proto__/home.0000000000000000.png',
        '/cards/agent/nobody.0000000000000000.png',
        '/cards/work/..%2f..%2fhome.0000000000000000.png',
        `/cards/task/${randomUUID()}.0000000000000000.png`,
        `/cards/work/${'1'.repeat(5000)}.0000000000000000.png`,
      ],
      contentType: 'image/png',
    },
  }
}
