// A response has the fields of its shape and no other column of the row: what a row says of its owner never slips out.
// docs/contract/representation.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picked } from './picked.ts'
import { closed, Id, Nullable, Timestamp, Type } from './schema.ts'

const Letter = closed({
  id: Id,
  text: Type.String(),
  sent_at: Timestamp,
  read_at: Nullable(Timestamp),
  state: Type.Union([Type.Literal('new'), Type.Literal('read')]),
  note: Type.Optional(Type.String()),
})
const at = new Date('2030-01-02T03:04:05.006Z')
const row = { id: 'a', text: 'Hello', sent_at: at, read_at: null, owner_email: 'ada@owners.example' }

test('ada’s letter is shown with its times as text and without her address', () => {
  assert.deepEqual(picked(Letter, row, { state: 'new' }), {
    id: 'a',
    text: 'Hello',
    sent_at: '2030-01-02T03:04:05.006Z',
    read_at: null,
    state: 'new',
  })
})

test('given values override the row, and undefined ones are omitted', () => {
  const shown = picked(Letter, { ...row, state: 'new', note: undefined }, { text: '', read_at: at.toISOString() })
  assert.deepEqual(Object.keys(shown), ['id', 'text', 'sent_at', 'read_at', 'state'])
  assert.deepEqual([shown.text, shown.read_at], ['', at.toISOString()])
})
