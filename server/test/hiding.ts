// What stories of removed things are made of: the doors of others and of the owner, and a removal by a case and back.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type EventKind, newestChannelVersion } from '../src/events/kinds.ts'
import type { HiddenKind } from '../src/modules/moderation/hidden.ts'
import { hide, unhide } from '../src/modules/staff/hiding.ts'
import { oldestEvents } from '../src/realtime/backlog.ts'
import { reported, rule } from './moderation.ts'
import { visit } from './pages.ts'
import { assertPosts } from './posts.ts'
import { turnHidden } from './turning.ts'
import { read } from './upload.ts'
import { type Agent, code, someoneWaits, type World } from './world.ts'

export type Doors = Record<string, unknown>

/** Which kinds have their stories where: hiding.test.ts, hiding-voices.test.ts. */
export const toldOf = {
  things: ['attachment', 'post', 'profile', 'review', 'service', 'task'],
  voices: ['article', 'idea', 'project_case'],
} satisfies Record<string, HiddenKind[]>

export const without = (doors: RegExp, found: Doors): Doors =>
  Object.fromEntries(Object.entries(found).filter(([door]) => !doors.test(door)))

export interface Story {
  kind: HiddenKind
  id: string
  /** Who reports it; mia unless only somebody else sees it. */
  reporter?: Agent
  /** What others find at every endpoint and page. */
  others: () => Promise<Doors>
  own: () => Promise<Doors>
  /** What others found while there was no such thing. */
  nothing: Doors
  /** What the owner tries meanwhile; it changes nothing of what the owner reads. */
  meanwhile?: () => Promise<void>
}

/** In a world where mia looks at everything and has to do with nobody, and moe decides. */
export function hidingIn(w: World, { mia, moe }: { mia: Agent; moe: Agent }) {
  /** Of which kinds a removal was walked through all doors. */
  const walked = new Set<string>()

  /** What each path answers to a reader; nobody without a token where none is given. */
  async function behind(reader: Agent | undefined, paths: readonly string[]): Promise<Doors> {
    const found: Doors = {}
    for (const path of paths) {
      const { status, body } = await w.request('GET', path, { token: reader?.token })
      // When something was last touched is no door.
      found[path] = {
        status,
        body: JSON.parse(JSON.stringify(body), (key, value) => (key === 'updated_at' ? null : value)),
      }
    }
    return found
  }

  /** What each page is to a visitor, but for the moments in it. */
  async function pages(paths: Record<string, string>): Promise<Doors> {
    const found: Doors = {}
    for (const [name, path] of Object.entries(paths)) {
      const { status, text } = await visit(w.url, path)
      found[name] = { status, text: text.replace(/<(time|lastBuildDate)\b.*?<\/\1>\n?|"dateModified":"[^"]*",/g, '') }
    }
    return found
  }

  /** Status and bytes behind the doors of a file, for someone and for nobody. */
  async function bytesOf(id: string, ...readers: (Agent | undefined)[]): Promise<Doors> {
    const found: Doors = {}
    for (const reader of readers) {
      for (const door of ['', '/download', '/preview', '/stream']) {
        const { status, bytes } = await read(w, `/attachments/${id}${door}`, reader ? { agent: reader } : {})
        found[`${reader?.handle ?? 'nobody'} ${door}`] = { status, bytes: bytes.toString('latin1') }
      }
    }
    return found
  }

  /** What the doors of a file answer that is not there. */
  async function gone(id: string, ...readers: (Agent | undefined)[]): Promise<Doors> {
    const [nobody] = Object.values(await bytesOf(randomUUID(), mia))
    return Object.fromEntries(Object.keys(await bytesOf(id, ...readers)).map((door) => [door, nobody]))
  }

  /** What of these kinds would be delivered to someone at this moment, as `kind status version`, oldest first. */
  async function due(who: Agent, ...kinds: EventKind[]): Promise<string[]> {
    const ask = { recipientId: who.id, version: newestChannelVersion, sent: [], most: 1000 }
    const [events = []] = await oldestEvents(w.sql, w.now(), [ask])
    return events
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ kind, payload }) => {
        const { status, version } = payload as { status: string; version: number }
        return `${kind} ${status} ${version}`
      })
  }

  /** Hides a thing, or shows it again, without a case. */
  const turn = (kind: HiddenKind, id: string, out: boolean): Promise<boolean> => turnHidden(w, kind, id, out)

  /** Does something that must wait until the hiding, or the restoring, is committed. */
  async function during<T>(way: 'hide' | 'restore', kind: HiddenKind, id: string, work: () => Promise<T>): Promise<T> {
    let waiting: Promise<T> | undefined
    await w.service.sql.transaction(async (tx) => {
      assert.equal(await (way === 'hide' ? hide : unhide)(tx, kind, id), true)
      waiting = work()
      await someoneWaits(w, 'one who waits')
    })
    return waiting as Promise<T>
  }

  /** What became of the case of a thing that a moderator decides, as it is; false if it was so already. */
  async function decided(id: string, decision: 'remove' | 'restore'): Promise<boolean> {
    const [standing] = await w.sql<{ id: string; version: number }>`
      select id, version from moderation_cases where subject_id = ${id} order by id desc limit 1`
    const answer = code(await rule(moe, standing, decision))
    assert.match(answer, /^(200|409 invalid_state)$/)
    return answer === '200'
  }

  /** Has a moderator remove a thing, which somebody reports at first who sees it. */
  async function did(kind: HiddenKind, id: string, reporter = mia): Promise<boolean> {
    const cases = await w.sql`select 1 from moderation_cases where subject_id = ${id}`
    if (cases.length === 0) await reported(reporter, { kind, id })
    return decided(id, 'remove')
  }

  const undid = (id: string): Promise<boolean> => decided(id, 'restore')

  /** Removes a thing that is there now, and brings it back. */
  async function walk({ kind, id, reporter, others, own, nothing, meanwhile }: Story): Promise<void> {
    const [shown, owned] = [await others(), await own()]
    for (const door of Object.keys(shown))
      assert.notDeepEqual(shown[door], nothing[door], `${door} shows it to begin with`)
    assert.equal(await did(kind, id, reporter), true)
    assert.equal(await did(kind, id, reporter), false, 'again changes nothing')
    walked.add(kind)
    await assertPosts(w.sql)
    assert.deepEqual(await others(), nothing, 'as if it were not there')
    assert.deepEqual(await own(), owned, 'its owner reads it as before')
    await meanwhile?.()
    assert.deepEqual(await others(), nothing, 'whatever its owner does')
    await assertPosts(w.sql)
    assert.equal(await undid(id), true)
    assert.equal(await undid(id), false)
    await assertPosts(w.sql)
    assert.deepEqual(await others(), shown, 'restored whole')
    assert.deepEqual(await own(), owned)
  }

  return { walked, behind, pages, bytesOf, gone, due, turn, during, did, undid, walk }
}
