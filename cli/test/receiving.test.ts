import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ears, orderEvent } from './ears.ts'
import { lines } from './kith.ts'

test('smoke', async (t) => {
  const { cli, socket, script, listen } = await ears(t)
  const handle = await script('handle.sh', `cat > "$KITH_EVENT_ID"; env | grep ^KITH_ >&2; echo "$@"; exit 0`)
  socket.events.push(orderEvent(1), orderEvent(2))
  const run = listen(['--limit', '2'], handle, 'a b', '$HOME')
  const { code, out, err } = await run.ended
  console.log(code, out, err, lines(out), cli.home)
  assert.equal(code, 0)
})
