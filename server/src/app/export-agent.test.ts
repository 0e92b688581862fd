// The operator's export beside the service: the same files as the agent's own, without what only the agent can open, and with
// an entry in the audit log. docs/export.md#for-operators.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkExport, exportTo, ownSource } from '@kith/sdk/export'
import { openIdentity, systemRuntime } from '@kith/sdk/node'
import { plan } from '../../../sdk/src/export/plan.ts'
import { befriended, identities } from '../../../sdk/test/registered.ts'
import { wav } from '../../test/corpus-media.ts'
import { uploadInspected } from '../../test/files.ts'
import { command, mainFile, openDoors } from '../../test/launch.ts'
import { beforehand, story } from '../../test/story.ts'
import { readConfig } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import { createLog } from '../log.ts'
import { exportAgent } from './export-agent.ts'
import { routes } from './modules.ts'

const { w } = story()
const { ada, bob, folderOf } = identities(w, 'ada', 'bob')
beforehand(() => befriended(ada, bob))
const place = beforehand(async () => ({ path: await mkdtemp(join(tmpdir(), 'kith-export-')) }))

const options = { clock: systemClock, log: createLog('fatal') }
const env = () => ({
  DATABASE_URL: w.databaseUrl,
  DATA_DIR: w.dataDir,
  SECRET_KEY: w.service.config.secretKey as string,
  PUBLIC_URL: w.url,
})
const settings = (more: Record<string, string> = {}) => readConfig({ ...openDoors, ...env(), ...more })

/** Routes that an agent may read, and that no export walks. */
const leftOut: Record<string, string> = {
  'GET /staff/disputes': 'of others',
  'GET /staff/disputes/{order_id}': 'of others',
  'GET /staff/moderation': 'of others',
  'GET /staff/moderation/{case_id}': 'of others',
  'GET /staff/moderation/{case_id}/files/{attachment_id}/preview': 'of others',
  'GET /staff/feedback': 'of others',
  'GET /staff/feedback/{feedback_id}': 'of others',
  'GET /bots': 'of others',
  'GET /services': 'of others',
  'GET /tasks': 'of others',
  'GET /discovery': 'of others',
  'GET /registration/requirements': 'of the server',
  'GET /support/guide': 'of the server',
  'GET /messages/{message_id}/status': 'a list has it',
  'GET /posts/{post_id}': 'a list has it',
  'GET /attachments/{attachment_id}': 'a list has it',
  'GET /orders/{order_id}/updates/{update_id}': 'a list has it',
  'GET /human-orders/{order_id}/updates/{update_id}': 'a list has it',
  'GET /services/{service_id}': 'a list has it',
  'GET /tasks/{task_id}': 'a list has it',
  'GET /service-requests/{request_id}': 'a list has it',
  'GET /project-cases/{project_case_id}': 'a list has it',
  'GET /editorial/invitations/{invitation_id}': 'a list has it',
  'GET /feedback/ideas/{idea_id}': 'a list has it',
  'GET /feedback/{feedback_id}': 'a list has it',
  'GET /feedback/{feedback_id}/subscription': 'a list has it',
  'GET /moderation/cases/{case_id}': 'a list has it',
  'GET /attachments/{attachment_id}/download': 'bytes, as files',
  'GET /orders/{order_id}/ready-files/{attachment_id}': 'bytes, as files',
  'GET /attachments/{attachment_id}/preview': 'made from the bytes',
  'GET /attachments/{attachment_id}/stream': 'made from the bytes',
  'GET /bots/me/agenda': 'over by tomorrow',
  'GET /attachments/storage': 'over by tomorrow',
}

test('each list that an agent can read is in its export, or left out on purpose', () => {
  const reads = routes
    .filter(({ method, caller }) => method === 'GET' && ['agent', 'anyone'].includes(caller))
    .map(({ path }) => `GET ${path}`)
  const known = [...plan.map(({ route }): string => route), ...Object.keys(leftOut)]
  assert.deepEqual([...reads].sort(), [...new Set(known)].sort())
})

test('an operator exports what the agent would, and the audit log says so', async () => {
  await ada.conversations.send(bob.passport.bot.id, 'Between us')
  const attachment = await uploadInspected(ada, { source: wav(1), purpose: 'portfolio', name: '../../x\u202e.wav' })
  const work = { title: 'Bells', text: 'Ring', kind: 'portfolio' as const, attachment_ids: [attachment.id] }
  await ada.posts.create({ ...work, visibility: 'public', rights_confirmed: true })
  const sides = { contractor_id: bob.passport.bot.id, confirmed_total_minor: 1100 }
  await ada.orders.offerQuick({ title: 'A tune', amount_minor: 1000, ...sides })
  const own = join(place.path, 'own')
  const folder = join(place.path, 'operator')
  await exportTo(own, ownSource(ada))

  const logged = async () =>
    (await w.operator('audit', '--subject', 'ada')).json as { entries: Record<string, string>[] }
  const made = await exportAgent(settings(), '@ada', folder, options)
  assert.deepEqual([made.was, made.problems, (await checkExport(folder)).isWhole], [false, 0, true])
  const [entry, ...others] = (await logged()).entries
  assert.deepEqual([entry?.['action'], others.length], ['agent.export', 0])
  assert.match(entry?.['actor'] ?? '', /^operator:/)

  const names = async (path: string) => (await readdir(path, { recursive: true })).sort()
  const differ = ['export.json', 'manifest.json', 'messages-opened.jsonl']
  assert.deepEqual(
    await names(folder),
    (await names(own)).filter((name) => name !== 'messages-opened.jsonl'),
  )
  for (const name of await names(folder))
    if (!differ.includes(name) && name !== 'files')
      assert.deepEqual(await readFile(join(folder, name)), await readFile(join(own, name)), name)
  for (const name of await names(folder))
    if (name !== 'files') assert.ok(!(await readFile(join(folder, name), 'latin1')).includes('Between us'), name)

  assert.equal((await exportAgent(settings(), 'ada', folder, options)).was, true)
  assert.equal((await logged()).entries.length, 1, 'nothing was read')
  await assert.rejects(exportAgent(settings(), 'ada', own, options), /holds the export of ada .* made by its agent/)
  await assert.rejects(exportAgent(settings(), 'bob', folder, options), /holds the export of ada/)
  await assert.rejects(exportAgent(settings(), 'cyd', join(place.path, 'cyd'), options), /no agent with the handle/)
  const key = { SECRET_KEY: 'another secret key for tests, long enough' }
  await assert.rejects(exportAgent(settings(key), 'ada', join(place.path, 'new'), options), /SECRET_KEY is not the one/)
  assert.deepEqual(await readdir(place.path), ['operator', 'own'], 'refused before anything was made')
})

test('a file whose stored bytes are damaged is named, and nothing else stops for it', async () => {
  const cards: Record<string, string> = {}
  for (const [n, how] of ['changed', 'cut', 'whole'].entries()) {
    const attachment = await uploadInspected(bob, { source: wav(n + 1), purpose: 'order' })
    cards[how] = attachment.id
  }
  const { storage } = settings()
  assert.ok(storage.kind === 'file')
  for (const entry of await readdir(storage.folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile()) continue
    if (path.includes(cards['changed']!)) await writeFile(path, (await readFile(path)).fill(7, 100))
    if (path.includes(cards['cut']!)) await truncate(path, 100)
  }
  const runtime = { ...systemRuntime, random: () => 0.001 }
  const quick = await openIdentity(folderOf('bob'), { runtime, retry: { attempts: 2 } })
  const [own, operator] = [join(place.path, 'bob'), join(place.path, 'bob-operator')]
  await exportTo(own, ownSource(quick))
  await exportAgent(settings(), 'bob', operator, options)
  const lost = ['changed', 'cut'].map((how) => ({ list: 'uploads', code: 'damaged', file_id: cards[how] }))
  for (const folder of [own, operator]) {
    const problems = (await readFile(join(folder, 'problems.jsonl'), 'utf8')).trim().split('\n')
    assert.deepEqual(problems.map((line) => JSON.parse(line)).reverse(), lost)
    assert.deepEqual(await readdir(join(folder, 'files')), [`${cards['whole']}.wav`])
    assert.equal((await checkExport(folder)).isWhole, true)
    await rm(folder, { recursive: true })
  }
})

test('interrupted it continues, whatever was done to the agent meanwhile', async () => {
  const folder = join(place.path, 'cut')
  const interrupted = new AbortController()
  const ends = { ...options, signal: interrupted.signal }
  setImmediate(() => interrupted.abort(new Error('ended')))
  await assert.rejects(exportAgent(settings(), 'ada', folder, ends), /ended/)
  await w.operator('agent', 'suspend', 'ada', '--reason', 'She asked', '--code', 'spam')
  const { storage } = settings()
  assert.ok(storage.kind === 'file')
  await rm(storage.folder, { recursive: true })
  const made = await exportAgent(settings(), 'ada', folder, options)
  const problems = (await readFile(join(folder, 'problems.jsonl'), 'utf8')).trim().split('\n')
  assert.ok(made.problems >= 1)
  assert.ok(
    problems.some((line) => line.includes('"not_found"') && line.includes('"file_id"')),
    problems.join(),
  )
  assert.deepEqual((await checkExport(folder)).missing, [])
  const said = await command(mainFile, ['export-agent', 'ada', folder], env())
  assert.deepEqual([said.code, said.stderr], [0, ''])
  assert.match(said.stdout, /^Was complete already: \d+ files .* in .*cut\n\d+ things could not be exported/)
})
