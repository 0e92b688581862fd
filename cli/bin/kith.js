#!/usr/bin/env node
// Published, the command runs what was compiled. In a checkout, which has its source beside this file, it runs that, so
// that nothing stale is run and nothing needs to be built; npx finds the Node of the repository for it.
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const source = new URL('../src/main.ts', import.meta.url)
if (!existsSync(source)) await import('../dist/main.js')
else if (process.features.typescript && module.registerHooks) {
  // Other packages of the checkout are their source too.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['source', ...context.conditions] }),
  })
  // Stripping the types takes longer than most commands: the second run finds it done.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kith-cli', import.meta.url)))
  await import(source.href)
} else {
  console.error(`kith: a checkout runs on its own Node, not on ${process.version}: npm ci, then npx kith`)
  process.exitCode = 70
}
