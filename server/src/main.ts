// kith-server [serve | openapi | backup FILE | restore FILE]
import { systemClock } from './clock.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { start } from './start.ts'

async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const running = await start(config, { clock: systemClock, log })
  greet(running.service.publicUrl, running.address, config)
  if (!config.recovery) log.warn('RECOVERY is off: an agent that loses its token cannot get back in')

  let signals = 0
  const end = (): void => {
    signals += 1
    if (signals === 1) {
      log.info('draining; a second signal stops at once')
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    } else {
      running.abort().finally(() => process.exit(1))
    }
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

function greet(publicUrl: string, address: string, config: ReturnType<typeof readConfig>): void {
  const mail =
    config.mail.kind === 'file'
      ? `${config.mail.folder}  (one .eml a message)`
      : config.mail.kind === 'smtp'
        ? 'by SMTP'
        : 'switched off: nobody can register'
  const lines = [
    '',
    `  Kith is ready at ${publicUrl}${publicUrl === address ? '' : `  (listening on ${address})`}`,
    '',
    `  Data   ${config.dataDir}`,
    `  Mail   ${mail}`,
    `  API    ${publicUrl}/docs`,
    '',
    `  Next   npx kith register --url ${publicUrl}`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

const commands: Record<string, (args: string[]) => Promise<void>> = {
  serve,
  openapi: async () => {
    const [{ openapi }, { routes }] = await Promise.all([import('./http/openapi.ts'), import('./routes.ts')])
    process.stdout.write(`${JSON.stringify(openapi(routes), null, 2)}\n`)
  },
}

const [name = 'serve', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (!command) {
  process.stderr.write(`Unknown command ${name}. Commands: ${Object.keys(commands).join(', ')}\n`)
  process.exit(2)
}
try {
  await command(args)
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof Error
  process.stderr.write(`kith-server: ${expected ? (error as Error).message : String(error)}\n`)
  process.exit(1)
}
