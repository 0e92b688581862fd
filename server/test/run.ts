// npm test: every test of the repository on one PostgreSQL, embedded or, with KITH_TEST_DATABASE_URL, a server's.
import { spawn } from 'node:child_process'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dropTemplate, prepareTemplate, serverVariable, startTestServer } from './database.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const url = process.env['KITH_TEST_DATABASE_URL']
const named = process.argv.slice(2)

/** What has its own embedded PostgreSQL or none has nothing to say about a server's. */
const besideTheServer =
  /^(sdk|cli|demo)\/|store\/embedded\/|src\/(inspect|storage)\/|process-(start|kill)\.test|attachments\/(crash|memory)\.test/

/** What takes longest begins first, so that no core idles at the end. */
const isLong = (name: string): boolean =>
  /embedded\.test|torture\.test|crash\.test|trade\.test|cli\/.*story|operator\.test|process-|backup\.test|storage\.test|contract\.test/.test(
    name,
  )

const files =
  named.length > 0
    ? named
    : (await Array.fromAsync(glob('{server,sdk,cli,demo,torture}/**/*.test.ts', { cwd: root })))
        .filter((name) => !name.includes('node_modules') && !(url && besideTheServer.test(name)))
        .sort((a, b) => Number(isLong(b)) - Number(isLong(a)) || (a < b ? -1 : 1))

const server = url ? { ...(await prepareTemplate(url)), stop: async () => {} } : await startTestServer()

const child = spawn(
  process.execPath,
  ['--conditions=source', '--test', '--test-concurrency=3', '--test-timeout=240000', ...files],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      // Each file is a process that would strip and compile the whole service again, and so are the children of many.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/kith-tests'),
      [serverVariable]: JSON.stringify({ url: server.url, template: server.template }),
    },
  },
)
const code = await new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? 1)))
if (url) await dropTemplate(server)
await server.stop()
process.exit(code)
