// kith-server: loads the commands through V8's cache of compiled modules, which halves the time of a start. It is plain
// JavaScript, so that a start from the cache loads nothing that strips types: 17 MiB of memory.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the modules that it holds, and not in a temporary folder that everybody can write to. It may fail.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kith', import.meta.url)))
const { run } = await import('./commands.ts')
await run(process.argv.slice(2))
