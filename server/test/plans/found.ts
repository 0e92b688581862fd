// Results among thousands of rows, where a search reads differently if many rows match than if few do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { days, earlier, systemClock } from '../../src/kernel/clock.ts'
import { part } from '../../src/kernel/part.ts'
import { isPublicProjectCase } from '../../src/modules/attachments/holders.ts'
import { type Looks, search as searchServices } from '../../src/modules/catalog/search.ts'
import { feedState, findPublic, newestPage, othersOf } from '../../src/modules/editorial/reading.ts'
import { ideas } from '../../src/modules/feedback/ideas.ts'
import { newestOpen } from '../../src/modules/profiles/profiles.ts'
import { search } from '../../src/modules/profiles/search.ts'
import { countsFor } from '../../src/modules/profiles/search-counts.ts'
import * as projectCases from '../../src/modules/project-cases/project-cases.ts'
import * as reviews from '../../src/modules/reviews/reviews.ts'
import { nextPosts } from '../../src/modules/visitors/posts.ts'
import { findAgents } from '../../src/operator/agents.ts'
import { overview } from '../../src/operator/overview.ts'
import { actionsSeen } from '../../src/store/audit.ts'
import { openSql, type Sql } from '../../src/store/sql.ts'
import { pluck } from '../pluck.ts'
import { told } from './deals.ts'
import type { Filling } from './filling.ts'
import { agents, closed } from './people.ts'
import { anyService } from './rows-market.ts'

/** What a search for profiles must find, by the simplest statement. */
async function everyHit(sql: Sql, word: string): Promise<string[]> {
  const rows = await sql<{ handle: string }>`
    select a.handle from agents a
    where a.profile_public and a.suspended_at is null and (a.search_text like ${`%${word}%`} or exists (
      select from listed_posts l join posts p on p.id = l.post_id
      where l.author_id = a.id and split_part(p.search_text, ${'\u0001'}, 1) like ${`%${word}%`}))
    order by a.display_name, a.handle`
  return rows.map(({ handle }) => handle)
}

const stories: Record<string, (at: Filling) => Promise<void>> = {
  async 'profiles: of what many have the right page is found, and the total is exact'({ sql }) {
    // In all profiles; in an eighth of them; only in works.
    for (const q of ['helper', 'carpentry', 'lines']) {
      const all = await everyHit(sql, q)
      assert.ok(all.length > 1001, `${all.length} have ${q}`)
      for (const page of [1, 3, Math.ceil(all.length / 50), Math.ceil(all.length / 50) + 1]) {
        const found = await search(sql, { page, page_size: 50, q, specialty: '' })
        const handles = found.rows.map(({ handle }) => handle)
        assert.deepEqual(handles, all.slice((page - 1) * 50, page * 50), `${q}, page ${page}`)
        assert.equal(found.total, all.length)
      }
    }
  },
  async 'profiles: a total that takes too long to count says how many there are at least'({ sql }) {
    const total = (await everyHit(sql, 'helper')).length
    const tooLong = async () => undefined
    const at = (page: number) => search(sql, { page, page_size: 50, q: 'helper', specialty: '' }, tooLong)
    assert.equal((await at(1)).total, 1001)
    assert.equal((await at(100)).total, 5001, 'there is a next page')
    const beyond = await at(1000)
    assert.deepEqual([beyond.rows.length, beyond.total], [0, 1001])
    assert.equal((await at(Math.ceil(total / 50))).total, total, 'the last page knows')
  },
  async 'profiles: a search of many is counted once for all who ask at a time'({ sql, service }) {
    const wanted = { page: 1, page_size: 20, q: 'helper', specialty: '' }
    const counts = countsFor(service)
    const answers = await Promise.all(Array.from({ length: 20 }, () => search(sql, wanted, counts('curious'))))
    const total = (await everyHit(sql, 'helper')).length
    assert.deepEqual([...new Set(answers.map((answer) => answer.total))], [total])
    let counted = 0
    const counting = {
      snapshot: async () => {
        counted += 1
        return [{ total: 7 }]
      },
    } as unknown as Sql
    const some = await Promise.all(
      Array.from({ length: 20 }, (_, n) => counts(`caller ${n}`)(counting, 'a key', part``)),
    )
    assert.deepEqual(some, Array(20).fill(7))
    assert.equal(counted, 1)
  },
  async 'profiles: the newest are past those that nobody sees'({ sql }) {
    const newest = await sql<{ handle: string }>`select handle from agents order by id desc limit ${closed + 6}`
    assert.deepEqual(
      pluck(await newestOpen(sql, 6), 'handle'),
      newest.slice(closed).map(({ handle }) => handle),
    )
  },
  async 'catalog: the plan of a list is kept, and not made again for other values'({ sql: { pool }, reader }) {
    const filters = [
      {},
      { price_mode: 'fixed' as const },
      { q: 'zymurgy' },
      { unit_label: 'page', state: 'published' as const, max_total_minor: 5000 },
    ]
    // A pool of one connection, which keeps what it has prepared.
    const { connectionString = '' } = pool.options
    const sql = openSql({ clock: systemClock, connection: { connectionString }, maxConnections: 1 })
    try {
      for (const filter of filters) {
        for (let n = 0; n < 7; n++) await searchServices(sql, reader, { ...anyService, ...filter })
      }
      const made = await sql<{ generic_plans: number; custom_plans: number }>`
        select generic_plans, custom_plans from pg_prepared_statements
        where statement like '%from listed_services%limit%' and statement not like '%pg_prepared%'`
      assert.deepEqual(
        made.map(({ generic_plans, custom_plans }) => [generic_plans, custom_plans]),
        filters.map(() => [2, 5]),
      )
    } finally {
      await sql.end()
    }
  },
  async 'catalog: however far each step of a search goes, it finds the same'(at) {
    for (const filter of [
      { q: 'zymurgy' },
      { q: 'elder' },
      { q: 'number', state: 'paused' as const },
      { q: 'elder service', unit_label: 'rare', price_mode: 'fixed' as const },
      { min_total_minor: 5000, max_total_minor: 6000 },
      { price_mode: 'from' as const, min_total_minor: 5000 },
    ]) {
      for (const behind of [undefined, at.middleService]) {
        const find = (looks?: Looks) =>
          searchServices(at.sql, at.reader, { ...anyService, ...filter }, { behind, ...(looks && { looks }) })
        const found = await find()
        for (const looks of [
          { withWords: 1, without: 1, few: 1_000_000, dense: 1 },
          { withWords: 1, without: 1, few: 1, dense: 1_000_000 },
          { withWords: 1, without: 1, few: 1, dense: 1 },
        ]) {
          assert.deepEqual(await find(looks), found, `${JSON.stringify(filter)} ${JSON.stringify(looks)}`)
        }
      }
    }
  },
  async 'catalog: of what few or many older ones have all are found'({ sql, reader }) {
    const count = async (filter: object) =>
      (await searchServices(sql, reader, { ...anyService, ...filter })).services.length
    assert.equal(await count({ q: 'zymurgy' }), 6)
    assert.equal(await count({ q: '酿酒', state: 'published' }), 6)
    assert.ok((await count({ min_total_minor: 5000, max_total_minor: 5010 })) > 0)
    assert.equal(await count({ q: 'elder' }), 20)
  },
  async 'editorial: the pages of the list are all of it, newest first, each once'({ sql }) {
    const { articles: total } = await feedState(sql)
    const last = Math.ceil(total / 20)
    const seen = new Set<string>()
    for (const page of [1, 2, Math.floor(last / 2), last - 1, last]) {
      const shown = await newestPage(sql, total, { page, page_size: 20 })
      assert.equal(shown.length, page === last ? total - (last - 1) * 20 : 20)
      for (const { id } of shown) seen.add(id)
      const moments = shown.map(({ published_at: moment }) => moment.getTime())
      assert.deepEqual(
        moments,
        moments.toSorted((a, b) => b - a),
      )
    }
    assert.equal(seen.size, 80 + total - (last - 1) * 20)
    assert.deepEqual(await newestPage(sql, total, { page: last + 1, page_size: 20 }), [])
  },
  async 'editorial: the others of an author are its own'({ sql, articleIds }) {
    const id = articleIds[9999] as string
    const article = await findPublic(sql, id)
    assert.ok(article)
    const others = await othersOf(sql, article, 3)
    assert.equal(others.length, 3)
    assert.ok(others.every((other) => other.author_id === article.author_id && other.id !== id))
  },
  async 'feedback: words that few have are all found, of words that all have the newest'({ sql, voters }) {
    const page = { page: 1, page_size: 20 }
    assert.equal((await ideas(sql, null, { q: 'zymurgy', ...page })).total, 20)
    assert.deepEqual(await ideas(sql, null, { q: 'zymurgy', ...page, page: 4 }), { rows: [], total: 20 })
    for (const q of ['common', 'every body', 'e']) {
      const all = await ideas(sql, voters[0] as string, { q, page: 2, page_size: 20 })
      assert.deepEqual([all.rows.length, all.total > 10_000], [20, true], q)
    }
  },
  async 'console: searches find whom they should, and say so where there are more than they look at'({
    sql,
    service,
    now,
  }) {
    const rules = { ...service, config: { ...service.config, ownerEmailGate: true }, gateSince: earlier(now, days(30)) }
    const found = async (each: object) => {
      const answer = await findAgents(sql, rules, { q: '', page: 1, page_size: 20, ...each })
      return [answer?.agents.length, answer?.total, answer?.isCut]
    }
    assert.deepEqual(await found({}), [20, 1000, true])
    assert.deepEqual(await found({ filter: 'suspended' }), [20, agents / 100, false])
    assert.deepEqual(await found({ filter: 'restricted' }), [20, 500, false])
    assert.deepEqual(await found({ filter: 'staff' }), [20, agents / 1000, false])
    assert.deepEqual(await found({ q: 'agent_1999' }), [11, 11, false])
    assert.deepEqual(await found({ q: 'AGENT NUMBER 1999' }), [11, 11, false])
    assert.deepEqual(await found({ q: 'o4999@owners.example' }), [1, 1, false])
    assert.deepEqual(await found({ q: 'a@b' }), [0, 0, false])
    assert.deepEqual(await found({ page: 50 }), [20, 1000, true])
  },
  async 'console: the overview counts no further than it says'({ service, sql }) {
    const [counted] = await sql<{ agents: number }>`select count(*)::int as agents from agents`
    const { numbers } = await overview(service, [])
    assert.deepEqual([numbers.agents, numbers.suspended], [counted?.agents, agents / 100])
  },
  async 'audit log: every kind of action is named'({ sql }) {
    const kinds = await actionsSeen(sql)
    assert.deepEqual(kinds, kinds.toSorted())
    for (const kind of ['agent.suspend', 'credits.grant', 'moderation.remove']) assert.ok(kinds.includes(kind), kind)
  },
  async 'reviews: what is not revealed yet is neither shown nor counted'({ sql, now, famous }) {
    const found = await reviews.list(sql, now, famous, { role: 'contractor', page: 1, page_size: 50 })
    assert.equal(found.total, await reviews.countPublic(sql, now, famous))
    const [row] = await sql<{ all: number }>`select count(*)::int as all from reviews where subject_id = ${famous}`
    assert.ok(found.total > 1500 && found.total < (row?.all ?? 0), String(found.total))
  },
  async 'project cases: the newest thousand are looked at, whoever sees them'({ sql, reader, shut }) {
    const own = await projectCases.list(sql, reader, { page: 1, page_size: 20, role: undefined, state: undefined })
    assert.deepEqual([own.rows.length, own.total], [20, 2 * told.own - told.own / 4])
    const page = (number: number) => projectCases.publicPage(sql, { page: number, page_size: 20 })
    const [first, last, total] = [await page(1), await page(5), 1000 - told.closed]
    const newest = await sql<{ id: string }>`
      select c.id from project_cases c where ${isPublicProjectCase}
      order by c.customer_consented_at desc, c.id desc limit 20`
    assert.deepEqual(first.rows, pluck(newest, 'id'))
    assert.equal(first.total, total)
    assert.equal(new Set([...first.rows, ...last.rows]).size, 40)
    assert.deepEqual(await page(6), { rows: [], total })
    assert.equal((await projectCases.newestPublicOf(sql, reader, 6)).length, 6)
    assert.deepEqual(await projectCases.newestPublicOf(sql, shut, 6), [])
  },
  async 'visitors: a page of the newest works is full'({ sql, visitor, middle }) {
    assert.equal((await nextPosts(sql, visitor, 21)).length, 21)
    assert.equal((await nextPosts(sql, visitor, 21, middle)).length, 21)
  },
}

export function checkFound(filling: () => Filling): void {
  for (const [what, story] of Object.entries(stories)) test(what, () => story(filling()))
}
