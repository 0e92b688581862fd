// What an export does with a service that makes it wait, with lists that move under it, and with keys that somebody touched.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { throws } from '../../server/test/dice.ts'
import { pluck } from '../../server/test/pluck.ts'
import { generateKeyPair } from '../src/box.ts'
import { ownSource } from '../src/export/client.ts'
import { openExport, writeList } from '../src/export/folder.ts'
import { openKeys, sealKeys } from '../src/export/keys.ts'
import { type Page, pages } from '../src/export/lists.ts'
import { wantedIn } from '../src/export/plan.ts'
import { exportTo } from '../src/export/run.ts'
import { DamagedFile, type Source } from '../src/export/source.ts'
import { type FolderClient, KithError, KithNetworkError, memoryStore, systemRuntime } from '../src/node.ts'
import { createPins } from '../src/pins.ts'
import type { Message } from '../src/types.ts'

/** A list that counts pages, and what happens to it after each of them. */
function moving(entries: number[], change: (list: number[]) => void = () => {}) {
  const refused = (status: number, code: string) => Object.assign(new Error(code), { status, code })
  const source = {
    async read(_route: string, { query }: { query: Record<string, string> }) {
      const page = Number(query['page'] ?? 1)
      if (page > 1000) throw refused(400, 'invalid_pagination')
      const rows = entries.slice((page - 1) * 3, page * 3).map((id) => ({ id }))
      const pagination = { page, page_size: 3, total: entries.length }
      change(entries)
      return { rows, pagination }
    },
    refusalOf: (error: unknown) => error as { status: number; code: string },
  } as unknown as Source
  return { source, planned: { name: 'rows', route: 'GET /orders' as const }, path: {} }
}

/** What is written of it, if a run ends after each page, or after some, and another one goes on. */
async function written(list: ReturnType<typeof moving>, ends = () => true): Promise<number[]> {
  let rows: number[] = []
  let place: Page['place']
  do {
    for await (const page of pages({ ...list, written: new Set(rows.map(String)) }, place)) {
      if (page.again) rows = []
      rows.push(...page.lines.map(({ id }: { id: number }) => id))
      place = JSON.parse(JSON.stringify(page.place ?? null)) ?? undefined
      if (!page.again && ends()) break
    }
  } while (place)
  return rows
}

test('a list that moves while it is read has each entry that stayed exactly once', async () => {
  const whole = [9, 8, 7, 6, 5, 4, 3, 2, 1]
  const stories: [string, ((list: number[]) => void)[], number[]][] = [
    ['nothing changes', [], whole],
    ['one comes', [(list) => list.unshift(10)], whole],
    ['five come', [(list) => list.unshift(14, 13, 12, 11, 10)], whole],
    ['one goes that was read', [(list) => list.splice(0, 1)], whole],
    ['the last that was read goes', [(list) => list.splice(2, 1)], whole],
    ['one goes that was not read yet', [(list) => list.splice(4, 1)], [9, 8, 7, 6, 4, 3, 2, 1]],
    ['one comes and two go', [() => {}, (list) => list.splice(0, 2, 10)], whole],
    ['all that was read goes', [(list) => list.splice(0, 3)], whole],
    [
      'two pages come, and as many go at the end',
      [() => {}, (list) => list.splice(0, 9, 15, 14, 13, 12, 11, 10, 9, 8, 7)],
      [9, 8, 7, 6, 5, 4],
    ],
    ['everything goes', [(list) => list.splice(0)], [9, 8, 7]],
  ]
  for (const [what, changes, expected] of stories)
    assert.deepEqual(await written(moving([...whole], (list) => changes.shift()?.(list))), expected, what)
  const restless = moving([...Array(3000).keys()], (list) => list.splice(2, 1))
  await assert.rejects(Array.fromAsync(pages(restless, undefined)), { code: 'changing' })
  const long = await written(moving([...Array(3010).keys()]))
  assert.equal(long.length, 3000, 'a list has a thousand pages, and the rest is named')
})

test('a list that moves by chance has each entry that stayed exactly once, wherever a run ends', async () => {
  const { dice } = throws()
  for (let story = 0; story < 1000; story++) {
    const entries = [...Array(dice(25)).keys()].reverse()
    let newest = entries.length
    const gone = new Set<number>()
    const [before, told] = [[...entries], [`${entries}`]]
    const change = (most: number, coming: number): void => {
      for (let left = dice(most); left > 0; left--) {
        if (coming > 0 && dice(2)) {
          coming -= 1
          told.push(`${newest} comes`)
          entries.unshift(newest++)
        } else {
          for (const each of entries.splice(dice(25), 1)) {
            gone.add(each)
            told.push(`${each} goes`)
          }
        }
      }
    }
    const list = moving(entries, () => dice(3) || change(9, 9))
    const rows = await written(list, () => {
      if (dice(3)) return false
      change(15, 8)
      return true
    })
    const counts = Map.groupBy(rows, (id) => id)
    const wrong = before.filter((id) => !gone.has(id) && !counts.has(id))
    wrong.push(...[...counts].flatMap(([id, all]) => (all.length > 1 ? id : [])))
    assert.deepEqual(wrong, [], `${rows} of ${told.join(', ')}`)
  }
})

test('a list that an earlier version walked differently begins again', async (t) => {
  const path = await mkdtemp(join(tmpdir(), 'kith-export-'))
  t.after(() => rm(path, { recursive: true }))
  const states = ['b', 'a'].map((id) => ({ message_id: id, status: { version: 1 } }))
  const bids = [2, 1].map((id) => ({ task_id: '01890a5d-ac96-774b-bcce-b302099a8057', id }))
  const rows: Record<string, object> = {
    'GET /messages/statuses': { statuses: states, next_before: null },
    'GET /tasks/mine': { tasks: [{ id: bids[0]!.task_id }], pagination: { page: 1, page_size: 50, total: 1 } },
    'GET /tasks/{task_id}/bids': { bids, pagination: { page: 1, page_size: 50, total: 2 } },
  }
  const source = {
    of: { service: 'https://kith.example', by: 'agent', agent: { id: 'x', handle: 'ann' } },
    read: async (route: string) => rows[route] ?? {},
    refusalOf: () => undefined,
    record: async () => undefined,
  } as unknown as Source
  for (const [name, place, lines] of [
    ['message-states', { at: 700 }, states],
    ['tasks', { page: 2, total: 60, last: ['x'], seen: 50 }, [{ id: bids[0]!.task_id }]],
    ['task-bids', { at: 0, nth: 0, place: { page: 2, total: 60, last: ['x'], seen: 50 } }, bids],
  ] as const) {
    const folder = await openExport(join(path, name), source)
    await writeFile(folder.at(`${name}.jsonl`), '{"id":"x"}\n')
    folder.progress.current = { name, bytes: 11, place }
    await folder.save()
    await folder.release()
    await exportTo(folder.path, source)
    assert.equal(
      await readFile(folder.at(`${name}.jsonl`), 'utf8'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      name,
    )
  }
})

test('the service is asked again when it says, and not forever', async () => {
  const slept: number[] = []
  const runtime = { ...systemRuntime, sleep: async (ms: number) => void slept.push(ms) }
  const limited = (retryAfter: number) => new KithError({ status: 429, code: 'read_limited', retryAfter })
  const answers: unknown[] = [limited(61), limited(300), { bot: {} }, ...Array(30).fill(limited(9)), limited(99_999)]
  const client = {
    passport: { base_url: 'https://kith.example', bot: { id: 'x', handle: 'ann' } },
    conversations: {},
    async call() {
      const next = answers.shift()
      if (next instanceof Error) throw next
      return next
    },
  } as unknown as FolderClient
  const source = ownSource(client, { runtime })
  const read = () => source.read('GET /bots/me', { path: {}, query: {} })
  assert.deepEqual(await read(), { bot: {} })
  assert.deepEqual(slept, [61_000, 300_000])
  await assert.rejects(read(), { code: 'read_limited' })
  assert.equal(slept.length, 22)
  answers.splice(0, answers.length - 1)
  await assert.rejects(read(), { code: 'read_limited' })
  assert.equal(slept.length, 22, 'nobody waits for a day')
  const foreign = new KithError({ status: 404, code: 'unexpected_answer' })
  assert.equal(source.refusalOf(foreign), undefined, 'what a proxy says leaves nothing out')
})

test('keys that are not pinned yet are asked for once, and as patiently as everything else', async () => {
  const slept: number[] = []
  const runtime = { ...systemRuntime, sleep: async (ms: number) => void slept.push(ms) }
  const contact = (status: string) => {
    const id = crypto.randomUUID()
    const encryption_public_key = generateKeyPair().publicKey
    return { status, peer: { id, handle: 'bob', encryption_public_key } }
  }
  const [friend, blocked, asking, stranger] = ['accepted', 'blocked', 'pending', 'none'].map(contact)
  const asked: unknown[] = []
  const pins = createPins({ store: memoryStore(), runtime })
  const client = {
    passport: { base_url: 'https://kith.example', bot: { id: 'x', handle: 'ann' } },
    pins,
    conversations: { open: async (message: Message) => ({ text: (await pins.get(message.sender_id))?.public_key }) },
    async call(_route: string, { query }: { query: object }) {
      asked.push(query)
      if (asked.length === 2) throw new KithError({ status: 429, code: 'read_limited', retryAfter: 60 })
      return 'before' in query ? { contacts: [blocked] } : { contacts: [asking, friend], next_before: 'next' }
    },
  } as unknown as FolderClient
  const { open } = ownSource(client, { runtime })
  const opened = async ({ peer }: ReturnType<typeof contact>) =>
    (await open!({ id: 'm', sender_id: peer.id, recipient_id: 'x' })) as { text: string | null; problem?: string }
  for (const known of [friend!, blocked!, friend!])
    assert.equal((await opened(known)).text, known.peer.encryption_public_key)
  for (const unknown of [asking!, stranger!, stranger!])
    assert.partialDeepStrictEqual(await opened(unknown), { text: null, problem: 'contact_not_accepted' })
  assert.deepEqual([asked, slept], [[{}, { before: 'next' }, { before: 'next' }], [60_000]])
})

test('a file is damaged if the service has no more of it, not if a bad link cut it off or was silent', async () => {
  const cut = new KithNetworkError('cut', { reason: 'broken' })
  const other = new KithNetworkError('other bytes')
  const failed = new KithError({ status: 500, code: 'internal_error' })
  const silent = new KithNetworkError('silent', { reason: 'timeout' })
  const portal = new KithNetworkError('a page', { reason: 'foreign' })
  const proxy = new KithError({ status: 500, code: 'unexpected_answer' })
  /** What comes of 100 bytes at each try, and how it ends. */
  for (const [tries, expected] of [
    [
      [
        [40, cut],
        [70, cut],
      ],
      cut,
    ],
    [[[0, silent]], silent],
    [[[0, portal]], portal],
    [[[0, proxy]], proxy],
    [
      [
        [40, cut],
        [40, cut],
      ],
      DamagedFile,
    ],
    [
      [
        [100, other],
        [100, other],
      ],
      DamagedFile,
    ],
    [
      [
        [0, failed],
        [0, failed],
      ],
      DamagedFile,
    ],
  ] as const) {
    const left = [...tries]
    const client = {
      passport: { base_url: 'https://kith.example', bot: { id: 'x', handle: 'ann' } },
      conversations: {},
      bots: { me: async () => ({}) },
      files: {
        async save(_id: string, _path: string, { onProgress }: { onProgress: (received: number) => void }) {
          const [received, error] = left.shift()!
          if (received > 0) onProgress(received)
          throw error
        },
      },
    } as unknown as FolderClient
    const card = { id: 'y', sha256: 'a'.repeat(64), size: 100, mime_type: 'image/png' }
    await assert.rejects(
      ownSource(client).save({ card }, 'path', () => {}),
      (error) => (expected === DamagedFile ? error instanceof DamagedFile : error === expected),
    )
    assert.equal(left.length, 0)
  }
})

test('a list without places to go on from is not held until its end, and is written once although a run fails', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'kith-export-'))
  t.after(() => rm(place, { recursive: true }))
  const of = { service: 'https://kith.example', by: 'agent', agent: { id: 'x', handle: 'ann' } }
  const lines = Array.from({ length: 8 }, (_, n) => `${n} `.repeat(30_000))
  const run = async (fails: boolean) => {
    const folder = await openExport(place, { of } as Source)
    const path = folder.at('problems.jsonl')
    const written = writeList(folder, 'problems', async function* () {
      for (const line of lines) yield { lines: [line], place: undefined }
      if (fails) throw new Error(`${(await readFile(path)).length}`)
    })
    await written.finally(folder.release)
    return readFile(path, 'utf8')
  }
  await assert.rejects(run(true), ({ message }: Error) => Number(message) > 256 * 1024)
  assert.equal(await run(false), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
})

test('keys open with their passphrase alone, and only as they were', async () => {
  const files = { key: 'secret', token: '{}' }
  const text = await sealKeys(files, 'Ünlikely to be guessed'.normalize('NFD'))
  assert.ok(!text.includes('secret'))
  assert.deepEqual(await openKeys(text, 'Ünlikely to be guessed'.normalize('NFC')), files)
  const sealed = JSON.parse(text)
  const other = (change: object) => JSON.stringify({ ...sealed, ...change })
  const flipped = `${sealed.ciphertext[0] === 'A' ? 'B' : 'A'}${sealed.ciphertext.slice(1)}`
  await assert.rejects(openKeys(text, 'unlikely to be guessed'), /another passphrase/)
  await assert.rejects(openKeys(other({ ciphertext: flipped }), 'Ünlikely to be guessed'), /another passphrase/)
  await assert.rejects(openKeys(other({ format: 'kith-keys-v2' }), 'x'), /no kith-keys-v1/)
  await assert.rejects(openKeys(other({ kdf: { ...sealed.kdf, n: 2 ** 30 } }), 'x'), 'no more memory than one has')
})

test('only cards with bytes are fetched, by IDs that cannot leave the folder', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const card = { id, sha256: 'a'.repeat(64), size: 4, mime_type: 'image/png', available: true }
  const at = (download_url: string | null, more: object = {}) => ({ ...card, download_url, ...more })
  const own = at(`/api/v1/attachments/${id}/download`)
  const found = wantedIn({ order: { a: [own], b: [at(`/api/v1/orders/${id}/ready-files/${id}`)] } })
  assert.deepEqual(pluck(found, 'orderId'), [undefined, id])
  for (const odd of [
    at(null),
    at('x', { available: false }),
    at('x', { id: '../../x' }),
    at('x', { size: 'x' }),
    null,
    7,
  ])
    assert.deepEqual(wantedIn({ odd }), [])
})
