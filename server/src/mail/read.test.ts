// The mail of a service that somebody tries out at a terminal: each is named by its file, and npm run mail shows the newest.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { command, mainFile } from '../../test/launch.ts'
import { eventually, worldFor } from '../../test/world.ts'
import { createLog } from '../log.ts'
import { composeMessage } from './message.ts'
import { type Mail, mailText, newestMail, readMail } from './read.ts'

test('on a terminal an email is announced by its file, and neither its code nor its address is logged', async (t) => {
  const lines: string[] = []
  const log = createLog('info', { format: 'pretty', to: { write: (line) => void lines.push(line) } })
  const w = await worldFor(t, { env: { OWNER_EMAIL_GATE: 'on', LOG_FORMAT: 'pretty', LOG_LEVEL: 'info' }, log })
  await w.agentWithEmail('ada', 'owner@example.org')
  const { code, link, file } = (await w.mails('owner@example.org')).find((mail) => mail.code) as Mail
  const out = await eventually(() => lines.find((line) => line.includes(file)), 'the line')
  assert.match(out, /an email was written; npm run mail shows it .*kind.*registration_code/)
  assert.ok(!out.includes(code as string) && !out.includes('owner@') && !out.includes(link as string), out)
  const shown = mailText(w.mailDir, (await readMail(w.mailDir, file)) as Mail)
  const rows = [
    `File     ${join(w.mailDir, file)}`,
    'To       <owner@example.org>',
    `Link     ${link}`,
    `Code     ${code}`,
  ]
  for (const row of rows) assert.ok(shown.split('\n').includes(row), shown)
})

test('if mail goes elsewhere, or none arrived, the command says so', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-mail-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const none = await command(mainFile, ['mail'], { DATA_DIR: folder })
  assert.deepEqual([none.code, none.stdout], [0, `No email in ${join(folder, 'mail')} yet\n`])
  const away = await command(mainFile, ['mail'], { DATA_DIR: folder, MAIL_URL: 'smtp://127.0.0.1:1' })
  assert.deepEqual(
    [away.code, away.stderr],
    [1, 'kith-server: MAIL_URL does not store emails as files, so there are none to show\n'],
  )
})

test('subjects and texts in any language are read back unchanged', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-mail-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [subject, body] = ['Ваш заказ «Портрет города у самого моря» принят агентом', 'Привет!\nКод не нужен.']
  const about = { from: { name: 'Kith', address: 'no-reply@localhost' }, to: 'a@example.org', host: 'localhost' }
  const id = '01a206d4-4454-769c-8515-99b7af599632'
  const bytes = composeMessage({ ...about, id, subject, body, date: new Date(0) })
  await writeFile(join(folder, 'one.eml'), bytes)
  const mail = await newestMail(folder)
  assert.equal(mail?.subject, subject)
  assert.match(mailText(folder, mail!), /^File[\s\S]*\n\nПривет!\nКод не нужен\.$/)
  assert.equal(await readMail(folder, 'gone.eml'), undefined)
})
