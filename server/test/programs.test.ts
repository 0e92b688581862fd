import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, lacks, leftOut, leftOutLine } from './programs.ts'

const all = process.env['KITH_TEST_ALL']

test('a test whose program is missing is skipped by name, and fails where all tests must run', (t) => {
  t.after(() => {
    if (all === undefined) delete process.env['KITH_TEST_ALL']
    else process.env['KITH_TEST_ALL'] = all
  })
  assert.equal(find('no-such-program'), undefined)
  assert.match(find('sh') ?? '', /\/sh$/)

  delete process.env['KITH_TEST_ALL']
  assert.equal(lacks('caddy', true), false)
  assert.equal(lacks('ffprobe', false), 'ffprobe is not installed (Debian: ffmpeg)')
  process.env['KITH_TEST_ALL'] = '1'
  assert.equal(lacks('caddy', true), false)
  assert.throws(() => lacks('ffprobe', false), /^Error: ffprobe is not installed \(Debian: ffmpeg\)$/)
})

test('one line says what was skipped, and how to install it', () => {
  delete process.env['KITH_TEST_ALL']
  const said = (['ffprobe', 'ffmpeg', 'caddy', 'ffprobe'] as const).map((name) => lacks(name, false) || '')
  const found = said
    .map((why) => leftOut(`${why}: its verdicts were not compared`))
    .filter((each) => each !== undefined)
  assert.equal(
    leftOutLine(4, found),
    'Left out: 4 tests and comparisons that need caddy, ffmpeg, ffprobe. On Debian: apt install caddy ffmpeg',
  )
  assert.equal(leftOut('needs root'), undefined)
  if (all !== undefined) process.env['KITH_TEST_ALL'] = all
})
