// An agent on this machine whose service is the stand-in: it sends any event, at once, and the command receives it.
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type FolderStore, type KithEvent, openFolder } from '@kith/sdk/identity'
import { world } from '../../sdk/test/fixtures.ts'
import { attachSocket } from '../../sdk/test/standin-socket.ts'
import { killLeftovers } from '../../server/test/launch.ts'
import { type Kith, kith } from './kith.ts'

const idOf = (prefix: string, n: number): string => `0198c000-0000-7000-${prefix}-${String(n).padStart(12, '0')}`

export const orderEvent = (n: number, order = 1): KithEvent => ({
  event_id: idOf('8000', n),
  kind: 'order.changed',
  payload: { order_id: idOf('9000', order), status: 'funded', version: n },
})

/** Ada with her contact Bob, whose profile is `ada`. */
export async function ears(t: TestContext) {
  const cli: Kith = await kith()
  t.after(async () => {
    killLeftovers()
    await cli[Symbol.asyncDispose]()
  })
  const folder: FolderStore = await openFolder(join(cli.env['KITH_HOME']!, 'ada'))
  const here = await world(t, { store: folder })
  const socket = attachSocket(here.service.server, here.service.tokens)
  return {
    ...here,
    cli,
    folder,
    socket,
    /** A program that handles events. */
    async script(name: string, text: string): Promise<string> {
      const path = join(cli.home, name)
      await writeFile(path, `#!/bin/sh\n${text}\n`)
      await chmod(path, 0o755)
      return path
    },
    /** `kith listen --exec`, with options and then the command. */
    listen: (options: readonly string[], ...command: string[]) =>
      cli.start('listen', '-p', 'ada', '--exec', ...options, '--', ...command),
  }
}
