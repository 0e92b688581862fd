// What a worker and the primary process say to each other, and how it travels.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenLine, openLine, type Verbs } from './line.ts'

/** Two ends in one process; `taken` has the other side take what was sent. */
function joined(verbs: Verbs) {
  const messages: unknown[] = []
  const sent: (() => void)[] = []
  let far: OpenLine<Verbs>
  const near: OpenLine<Verbs> = openLine(
    {
      send(message, done) {
        messages.push(message)
        sent.push(() => done(null))
        far.receive(structuredClone(message))
      },
    },
    {},
  )
  const back = (message: unknown, done: (error: null) => void): void => {
    near.receive(structuredClone(message))
    done(null)
  }
  far = openLine({ send: back }, verbs)
  return { near, messages, taken: () => void sent.splice(0).map((done) => done()) }
}

const turn = () => new Promise(setImmediate)

test('everything of one turn is one message, and each question gets its own answer', async () => {
  const heard: unknown[] = []
  const { near, messages } = joined({
    double: async (number: number) => number * 2,
    note: (text: string) => void heard.push(text),
    fail: () => {
      throw new Error('no')
    },
  })
  near.tell('note', 'first')
  const answers = Promise.all([near.ask('double', 4), near.ask('double', 5), near.ask('fail', null).catch(String)])
  near.tell('note', 'last')
  assert.deepEqual(await answers, [8, 10, 'Error: no'])
  assert.deepEqual(heard, ['first', 'last'])
  assert.equal(messages.length, 1)
})

test('hints to a side that takes nothing are dropped, and nothing else is', async () => {
  const heard: unknown[] = []
  const { near, taken } = joined({ note: (text: unknown) => void heard.push(text) })
  for (let at = 0; at < 100; at++) {
    near.hint('note', at)
    await turn()
  }
  assert.equal(heard.length, 64)
  near.tell('note', 'told')
  await turn()
  assert.equal(heard.at(-1), 'told')
  taken()
  near.hint('note', 'heard again')
  await turn()
  assert.equal(heard.at(-1), 'heard again')
})

test('what is not answered in time, or when the other process has ended, is an error', async () => {
  const { near } = joined({ never: () => new Promise(() => {}) })
  await assert.rejects(near.ask('never', null, 1), /no answer in time/)
  const asked = near.ask('never', null)
  near.end()
  await assert.rejects(asked, /the other process has ended/)
  await assert.rejects(near.ask('never', null), /the other process has ended/)
  assert.equal(near.receive({ 'watch:require': [] }), false, 'the messages of others are left to others')
})
