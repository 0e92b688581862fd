// npm run operator -- …: loads the command through V8's cache of compiled modules, as ../main.js does the service.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/kith', import.meta.url)))
await import('./main.ts')
