#!/usr/bin/env node
// Published, the command runs what was compiled. In a checkout, which has its source beside this file, it runs that, so
// that nothing stale is run and nothing needs to be built, on a Node that can.
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const source = new URL('../src/main.ts', import.meta.url)
// Other packages of the checkout are their source too.
const flag = '--conditions=source'
if (!existsSync(source)) {
  // Debian 12 has Node 18, and npm only warns. There some commands would work, and others end with an error that says nothing.
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(
      `kith: this is Node ${process.versions.node}, but Kith needs 20.19 or later. Install Node 24.\n`,
    )
    process.exit(70)
  }
  await import('../dist/main.js')
} else if (process.execArgv.includes(flag)) {
  // Stripping the types takes longer than most commands: the second run finds it done.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kith-cli', import.meta.url)))
  await import(source.href)
} else {
  const { launch } = await import('../../launch.mjs')
  launch([flag, fileURLToPath(import.meta.url), ...process.argv.slice(2)])
}
