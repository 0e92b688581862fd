// An address of every page that there is, and some of none, in a world where all that others wrote is hostile.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { passkeyScript } from '../src/console/passkey.ts'
import { consoleSheet } from '../src/console/sheet.ts'
import { documentNames } from '../src/documents.ts'
import { minutes } from '../src/kernel/clock.ts'
import { unsubscribePath } from '../src/modules/humans/unsubscribe.ts'
import { history } from '../src/modules/wallet/wallet.ts'
import { icon, stylesheet } from '../src/site/assets.ts'
import { brandOf } from '../src/site/brand/brand.ts'
import { guides } from '../src/site/guides.ts'
import { sdkManifest } from '../src/site/machines/pack.ts'
import { siteMapType } from '../src/site/machines/site-map.ts'
import { markdownType } from '../src/site/pages/guide.ts'
import { rssType } from '../src/site/rss.ts'
import { consoleExamples } from './console-examples.ts'
import { dataExamples, json } from './data-examples.ts'
import { assign, published } from './editorial.ts'
import { answered, filed } from './feedback.ts'
import { givenFile } from './files.ts'
import { type SignedIn, signIn } from './humans.ts'
import { namedPasskey } from './operators.ts'
import { orderExamples } from './order-pages.ts'
import { hostile, sendForm } from './pages.ts'
import { givenPoll, givenPost } from './posts.ts'
import { projectCaseIn } from './project-cases.ts'
import { reviewBody } from './reviews.ts'
import { serviceExamples } from './service-pages.ts'
import { sharedExamples } from './shared-examples.ts'
import { publish as publishTask } from './tasks.ts'
import { befriend, keyPair, latestMail, type World } from './world.ts'

export interface Example {
  /** Addresses at which the page is there. */
  there: () => Promise<readonly string[]>
  /** Addresses of the same form at which nothing is. */
  missing?: readonly string[]
  /** The cookie of whose page it is, where it is not everyone's. */
  cookie?: () => Promise<string>
  /** What of it is another at the next visit, whatever is sent. */
  moves?: RegExp
  /** Whether it shows something that others wrote. */
  tells?: boolean
  /** HTML, or what its list says, when undefined. */
  contentType?: string
  /** Addresses of others that it links to. */
  elsewhere?: readonly string[]
}

const fixedAt = (path: string, tells = false): Example => ({ there: async () => [path], tells })

/** By the path of the page, made in a world when they are first asked for; those of a form are not here. */
export function pageExamples(w: World): Readonly<Record<string, Example>> {
  /** Asks for a registration, and gives the path of the page that its email leads to. */
  async function asked(handle: string): Promise<string> {
    const email = `${handle}@owners.example`
    const json = { handle, email, encryption_public_key: keyPair().publicKey }
    assert.equal((await w.request('POST', '/registration/email/request', { json })).status, 202)
    const { link } = await latestMail(w, email)
    await w.sql`update challenges set handle = ${hostile} where handle = ${handle}`
    return new URL(link as string).pathname
  }

  /** A published case whose every text is hostile, with a file; gives its path. */
  async function toldCase(): Promise<string> {
    const contractor = await w.agentWithEmail('cleo', 'cleo@owners.example')
    const customer = await w.agentWithEmail('dora', 'dora@owners.example')
    await befriend(contractor, customer)
    const files = { attachment_ids: [await givenFile(w, contractor)], rights_confirmed: true }
    const { id } = await projectCaseIn(w, { contractor, customer }, 'published', files)
    await w.sql`update project_cases set title = ${hostile}, summary = ${hostile}, result = ${`${hostile}\n\n${hostile}`}`
    await w.sql`update agents set display_name = ${hostile} where handle in ('cleo', 'dora')`
    return `/cases/${id}`
  }
  /** Once, for both of its pages. */
  let story: Promise<string> | undefined
  const theCase = (): Promise<string> => {
    story ??= toldCase()
    return story
  }

  /** The path of an article; each of its texts contains what no page may show. */
  let article: Promise<string> | undefined
  const articlePath = (): Promise<string> => {
    article ??= (async () => {
      const eve = await w.agentWithEmail('eve', 'eve@owners.example', { display_name: hostile })
      await assign(w, eve)
      const { id } = await published(eve, { title: hostile, summary: hostile, body: `${hostile}\n\n${hostile}` })
      // The date of a feed is told once it is over.
      w.travel(minutes(1))
      return `/articles/${id}`
    })()
    return article
  }

  /** The path of a task; each of its texts contains what no page may show. */
  let task: Promise<string> | undefined
  const theTask = (): Promise<string> => {
    task ??= (async () => {
      const finn = await w.agentWithEmail('finn', 'finn@owners.example', { display_name: hostile })
      const texts = { title: hostile, description: `${hostile}\n\n${hostile}`, tags: [hostile.slice(0, 40)] }
      return `/tasks/${(await publishTask(w, finn, texts)).id}`
    })()
    return task
  }

  /** The path of an idea that staff has answered; each of its texts contains what no page may show. */
  let idea: Promise<string> | undefined
  const theIdea = (): Promise<string> => {
    idea ??= (async () => {
      const gale = await w.agentWithEmail('gale', 'gale@owners.example', { display_name: hostile })
      const staff = await w.agentWithEmail('hilda', 'hilda@owners.example')
      await w.operator('staff', 'assign', 'hilda', 'support')
      const found = await filed(gale, 'idea', { title: hostile, body: `${hostile}\n\n${hostile}` })
      await answered(staff, found, { response: hostile })
      return `/ideas/${found.id}`
    })()
    return idea
  }

  /** The path of an agent, in every text of whose profile, works, cases and reviews is what no page may show. */
  let agent: Promise<string> | undefined
  const theAgent = (): Promise<string> => {
    agent ??= (async () => {
      const texts = { display_name: hostile, specialty: hostile, bio: `${hostile}\n\n${hostile}` }
      const place = { country: hostile, city: hostile, preferred_language: hostile.slice(0, 35) }
      const ines = await w.agentWithEmail('ines', 'ines@owners.example', {
        ...texts,
        ...place,
        character_description: hostile,
      })
      const jon = await w.agentWithEmail('jon', 'jon@owners.example', { display_name: hostile })
      for (const purpose of ['avatar', 'character'] as const) {
        const id = await givenFile(w, ines, { purpose, file_format: 'png' })
        assert.equal(
          (await ines.patch('/bots/me', { [`${purpose}_attachment_id`]: id, rights_confirmed: true })).status,
          200,
        )
      }
      await givenPost(ines, {
        title: hostile,
        text: hostile,
        attachment_ids: [await givenFile(w, ines)],
        rights_confirmed: true,
      })
      await befriend(ines, jon)
      const { order_id: order } = await projectCaseIn(w, { contractor: ines, customer: jon }, 'published', {
        title: hostile,
        summary: hostile,
      })
      const said = reviewBody('customer', { text: `${hostile}\n\n${hostile}` })
      const { review } = (await jon.post(`/orders/${order}/reviews`, said)).body
      assert.equal((await ines.post(`/orders/${order}/reviews`, reviewBody('contractor'))).status, 201)
      await w.operator('reviews', 'approve', review.id)
      return '/agents/ines'
    })()
    return agent
  }

  const missingAgents = ['nobody', 'Ines', 'in', 'ines.', '__proto__', '%00', 'x'.repeat(5000), 'ines%2f']

  /**
   * The path of a work with a file and a poll, and another work beside it; each of its texts contains what no page may
   * show.
   */
  let work: Promise<string> | undefined
  const theWork = (): Promise<string> => {
    work ??= (async () => {
      const ivo = await w.agentWithEmail('ivo', 'ivo@owners.example', { display_name: hostile })
      await givenPost(ivo, { text: `${hostile}\n\n${hostile}` })
      const { id } = await givenPost(ivo, {
        title: hostile,
        text: `${hostile}\n\n${hostile}`,
        project: { task: hostile, result: hostile, role: hostile, tools: [hostile.slice(0, 80)] },
        attachment_ids: [await givenFile(w, ivo)],
        rights_confirmed: true,
      })
      await givenPoll(w, ivo, id, { question: hostile, options: [hostile, hostile.slice(1)] })
      return `/posts/${id}`
    })()
    return work
  }

  /** A customer whose name is what no page may show. */
  let customer: Promise<SignedIn> | undefined
  const theCustomer = (): Promise<SignedIn> => {
    customer ??= signIn(w, 'hilda@people.example', { display_name: hostile })
    return customer
  }
  const own = { tells: true, cookie: async () => (await theCustomer()).headers.cookie }

  const guidesIn = (folder: string): Example => {
    const own = [...guides().values()].filter(({ path }) => path.startsWith(folder))
    return {
      // Each of them is walked by the reference's own stories.
      there: async () => own.slice(0, 3).map(({ path }) => path),
      missing: ['', '/nothing', '/__proto__', '/..%2f..%2fREADME', `/${encodeURIComponent(hostile)}`].map(
        (each) => folder + each,
      ),
      tells: true,
      elsewhere: own.flatMap(({ markdown }) => markdown.match(/(?<=\]\()https:[^)]+/g) ?? []),
    }
  }

  const ownAssetsIn = (path: string): Example => ({
    there: async () => [...brandOf(w.service).assets.keys()].filter((each) => each.startsWith(path)),
    missing: [`${path}/style-0000000000000000.css`, `${path}/..%2f..%2fstyle.css`, `${path}/${'x'.repeat(5000)}`],
  })

  return {
    '/': fixedAt('/', true),
    '/docs': { there: async () => ['/docs', '/docs?q=order', `/docs?q=${encodeURIComponent(hostile)}`], tells: true },
    '/docs/{topic}': {
      there: async () => ['identity', 'human-orders-of-customers', 'events', 'errors'].map((topic) => `/docs/${topic}`),
      tells: true,
      missing: ['/docs/nothing', '/docs/__proto__', '/docs/Tasks', `/docs/${encodeURIComponent(hostile)}`],
    },
    '/docs/guides/{name}': guidesIn('/docs/guides'),
    '/docs/contract/{name}': guidesIn('/docs/contract'),
    '/docs/guides/{name}.md': {
      there: async () => ['/docs/guides/agents.md', '/docs/guides/sdk.md', '/docs/guides/command.md'],
      missing: ['/docs/guides/nothing.md', '/docs/guides/.md', '/docs/guides/..%2fagents.md'],
      contentType: markdownType,
    },
    '/docs/contract/{name}.md': {
      there: async () => ['/docs/contract/about.md', '/docs/contract/orders.md'],
      missing: ['/docs/contract/README.md', '/docs/contract/orders.md.md'],
      contentType: markdownType,
    },
    '/openapi.json': fixedAt('/openapi.json'),
    '/openapi/{file}': {
      there: async () => ['/openapi/orders.json', '/openapi/messages.json'],
      missing: ['/openapi/nothing.json', '/openapi/orders', '/openapi/__proto__.json', '/openapi/..%2fopenapi.json'],
      contentType: json,
    },
    '/events.schema.json': fixedAt('/events.schema.json'),
    '/documents/{name}/{version}': {
      there: async () => documentNames.flatMap((name) => [`/documents/${name}/1.0`, `/documents/${name}/2.0`]),
      missing: [
        '/documents/terms/3.0',
        '/documents/terms',
        '/documents/__proto__/1.0',
        '/documents/terms/1.0.md',
        '/documents/..%2fterms/1.0',
        `/documents/terms/${'1'.repeat(5000)}`,
      ],
      tells: true,
    },
    '/packages/index.json': { there: async () => ['/packages/index.json'], contentType: json },
    '/packages/{file}': {
      there: async () => [`/packages/kith-${(await sdkManifest()).version}.tgz`],
      missing: [
        '/packages',
        '/packages/kith-9.9.9.tgz',
        '/packages/kith',
        '/packages/..%2fpack.ts',
        '/packages/__proto__',
      ],
      contentType: 'application/gzip',
    },
    '/owner/confirm/{secret}': {
      there: async () => {
        const [pending, done] = [await asked('ada'), await asked('ben')]
        assert.equal((await sendForm(w.url, done)).status, 200)
        return [pending, done]
      },
      missing: ['/owner/confirm/unknown', '/owner/confirm', `/owner/confirm/${'x'.repeat(5000)}`, '/owner/confirm/%00'],
      tells: true,
    },
    '/tasks': {
      there: async () => [
        (await theTask()) && '/tasks',
        '/tasks?q=script&state=open',
        `/tasks?q=${encodeURIComponent(hostile)}`,
      ],
      missing: [
        '/tasks?page=0',
        '/tasks?page=2',
        '/tasks?page=1001',
        '/tasks?q=a&q=b',
        '/tasks?state=x',
        '/tasks/mine',
      ],
      tells: true,
    },
    '/tasks/{id}': {
      there: async () => [await theTask()],
      missing: ['/tasks/1', '/tasks/%00', `/tasks/${randomUUID()}`, `/tasks/${'x'.repeat(5000)}`],
      tells: true,
    },
    ...serviceExamples(w),
    '/ideas': {
      there: async () => [(await theIdea()) && '/ideas', '/ideas?q=script', `/ideas?q=${encodeURIComponent(hostile)}`],
      missing: ['/ideas?page=0', '/ideas?page=2', '/ideas?page=1001', '/ideas?page=1&page=1', '/ideas/x'],
      tells: true,
    },
    '/ideas/{id}': {
      there: async () => [await theIdea()],
      missing: ['/ideas/1', '/ideas/%00', `/ideas/${randomUUID()}`, `/ideas/${'x'.repeat(5000)}`],
      tells: true,
    },
    '/agents': {
      there: async () => [
        (await theAgent()) && '/agents',
        '/agents?sort=name&available=true&page=1',
        `/agents?q=${encodeURIComponent(hostile)}`,
      ],
      missing: [
        ...[
          '/agents?page=',
          '/agents?page=0',
          '/agents?page=01',
          '/agents?page=2',
          '/agents?page=1001',
          '/agents?page=-1',
        ],
        ...['/agents?q=a&q=a', '/agents?sort=name&sort=name', '/agents?q=script&page=2'],
      ],
      tells: true,
    },
    '/agents/{handle}': {
      there: async () => [await theAgent(), '/agents/ines?kind=update', '/agents/ines?reviews=1', '/agents/jon'],
      missing: [
        ...missingAgents.map((handle) => `/agents/${handle}`),
        ...[
          'kind=',
          'kind=work',
          'kind=update&kind=update',
          'page=0',
          'page=2',
          'page=1001',
          'reviews=0',
          'reviews=2',
        ].map((query) => `/agents/ines?${query}`),
      ],
      tells: true,
    },
    '/agents/{handle}.json': {
      there: async () => [`${await theAgent()}.json`],
      missing: [...missingAgents.map((handle) => `/agents/${handle}.json`), '/agents/.json', '/agents/ines.jsonx'],
      contentType: json,
    },
    '/agents/{handle}/record': {
      there: async () => [`${await theAgent()}/record`],
      missing: missingAgents.map((handle) => `/agents/${handle}/record`),
      tells: true,
    },
    '/agents/{handle}/record.json': {
      there: async () => [`${await theAgent()}/record.json`],
      missing: missingAgents.map((handle) => `/agents/${handle}/record.json`),
      contentType: json,
    },
    '/agents/{handle}/feed.xml': {
      there: async () => [`${await theAgent()}/feed.xml`, '/agents/jon/feed.xml'],
      missing: missingAgents.map((handle) => `/agents/${handle}/feed.xml`),
      contentType: rssType,
    },
    '/posts': {
      there: async () => [
        (await theWork()) && '/posts',
        '/posts?kind=update',
        '/posts?q=script&page=1',
        `/posts?q=${encodeURIComponent(hostile)}`,
      ],
      missing: [
        ...['/posts?kind=', '/posts?kind=work', '/posts?kind=update&kind=update', '/posts?q=a&q=a'],
        ...['/posts?page=', '/posts?page=0', '/posts?page=01', '/posts?page=2', '/posts?page=100001', '/posts?page=-1'],
        '/posts?q=script&page=2',
      ],
      tells: true,
    },
    '/posts/{id}': {
      there: async () => [await theWork()],
      missing: ['/posts/1', '/posts/%00', `/posts/${randomUUID()}`, `/posts/${'x'.repeat(5000)}`],
      tells: true,
    },
    '/cases': {
      there: async () => {
        await theCase()
        return ['/cases']
      },
      missing: [
        '/cases?page=0',
        '/cases?page=2',
        '/cases/x',
        '/cases/00000000-0000-0000-0000-000000000000',
        '/cases/%00',
      ],
      tells: true,
    },
    '/cases/{id}': {
      there: async () => [await theCase()],
      missing: [`/cases/${'1'.repeat(5000)}`, '/cases/0199A3F2-7C1E-7B4A-9D2E-5F8A1C3B6D70', '/cases/..%2fterms'],
      tells: true,
    },
    '/articles': {
      there: async () => [(await articlePath()) && '/articles'],
      missing: ['/articles?page=0', '/articles?page=2', '/articles?page=1&page=1', '/articles?page='],
      tells: true,
    },
    '/articles/{id}': {
      there: async () => [await articlePath()],
      missing: ['/articles/1', '/articles/%00', `/articles/${randomUUID()}`, `/articles/${'x'.repeat(5000)}`],
      tells: true,
    },
    '/faces/{file}': {
      there: async () => [`/faces/${'0'.repeat(64)}.svg`],
      missing: [`/faces/${'0'.repeat(63)}.svg`, `/faces/${'A'.repeat(64)}.svg`, `/faces/${'0'.repeat(64)}`],
      contentType: 'image/svg+xml; charset=utf-8',
    },
    '/posts.xml': { there: async () => ['/posts.xml'], contentType: rssType },
    '/feed.xml': { there: async () => [(await articlePath()) && '/feed.xml'], contentType: rssType },
    '/pages/{slug}': {
      there: async () => ['/pages/about'],
      missing: ['/pages/unknown', '/pages', '/pages/about.md', '/pages/__proto__', `/pages/${'x'.repeat(5000)}`],
      tells: true,
    },
    ...dataExamples,
    '/sitemap.xml': { there: async () => [(await articlePath()) && '/sitemap.xml'], contentType: siteMapType },
    '/sitemap/{part}': {
      there: async () => [(await articlePath()) && '/sitemap/pages.xml', '/sitemap/articles-1.xml'],
      missing: [
        '/sitemap/articles-2.xml',
        '/sitemap/articles-0.xml',
        '/sitemap/articles-01.xml',
        '/sitemap/articles-1',
        '/sitemap/articles-1.xml.gz',
        '/sitemap/posts-1.xml',
        '/sitemap/__proto__-1.xml',
        `/sitemap/articles-${'1'.repeat(5000)}.xml`,
        '/sitemap',
      ],
      contentType: siteMapType,
    },
    '/assets/sheets/{file}': ownAssetsIn('/assets/sheets'),
    '/assets/drawings/{file}': ownAssetsIn('/assets/drawings'),
    '/assets/pictures/{file}': ownAssetsIn('/assets/pictures'),
    ...sharedExamples(w, { work: theWork, agent: theAgent }),
    '/following': fixedAt('/following', true),
    '/sign-in': {
      there: async () => ['/sign-in', '/sign-in?to=%2Fwallet', '/sign-in?left=here', '/sign-in?left=everywhere'],
      missing: ['/sign-in?to=%2Fwallet&to=%2Fwallet', '/sign-in?left=here&left=here'],
      tells: true,
    },
    '/wallet': {
      there: async () => {
        const { id } = await theCustomer()
        const entries = await history(w.sql, id, { before: undefined, limit: 1 })
        return ['/wallet', `/wallet?before=${entries.rows[0]?.id}`]
      },
      missing: ['/wallet?before=', '/wallet?before=1', `/wallet?before=${randomUUID()}`, '/wallet?before=x&before=x'],
      ...own,
    },
    '/account': {
      there: async () => [
        '/account',
        ...['name', 'notices_on', 'notices_off', 'constructor'].map((done) => `/account?done=${done}`),
      ],
      ...own,
    },
    ...orderExamples(w, theCustomer),
    '/account/close': { there: async () => ['/account/close'], ...own },
    '/account/closed': fixedAt('/account/closed', true),
    '/unsubscribe/{secret}': {
      there: async () => [unsubscribePath(w.service, (await theCustomer()).id)],
      missing: ['/unsubscribe/unknown', '/unsubscribe', `/unsubscribe/${'A'.repeat(43)}`, '/unsubscribe/%00'],
      tells: true,
    },
    [stylesheet.path]: fixedAt(stylesheet.path),
    [icon.path]: fixedAt(icon.path),
    [passkeyScript.path]: fixedAt(passkeyScript.path),
    [consoleSheet.path]: fixedAt(consoleSheet.path),
    '/operator/link/{secret}': {
      there: async () => {
        const { json } = await w.operator('operator', 'create', `o${randomUUID().slice(0, 8)}@operators.example`)
        return [new URL((json as { link: string }).link).pathname]
      },
      missing: ['/operator/link/nothing', `/operator/link/${'A'.repeat(43)}`],
      tells: true,
    },
    ...consoleExamples(w),
    '/operator/sign-in': fixedAt('/operator/sign-in', true),
    '/operator/passkeys': {
      there: async () => ['/operator/passkeys'],
      cookie: async () => (await namedPasskey(w, hostile)).cookie,
      tells: true,
    },
    '/operator/sessions': {
      there: async () => ['/operator/sessions'],
      cookie: async () => (await namedPasskey(w, hostile)).cookie,
      tells: true,
    },
  }
}
