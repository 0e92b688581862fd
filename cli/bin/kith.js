#!/usr/bin/env node
// Published, the command runs what was compiled. In a checkout, which has its source beside this file, it runs that, so
// that nothing stale is run and nothing needs to be built, on a Node that can.
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const source = new URL('../src/main.ts', import.meta.url)
// Other packages of the checkout are their source too.
const flag = '--conditions=source'
if (!existsSync(source)) await import('../dist/main.js')
else if (process.execArgv.includes(flag)) {
  // Stripping the types takes longer than most commands: the second run finds it done.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kith-cli', import.meta.url)))
  await import(source.href)
} else {
  const { launch } = await import('../../launch.mjs')
  launch([flag, fileURLToPath(import.meta.url), ...process.argv.slice(2)])
}
