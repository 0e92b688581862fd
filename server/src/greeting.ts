// What a start prints: where the service is, and commands for a second terminal that find it there.
import { resolve } from 'node:path'
import type { Config } from './config.ts'

type Settings = Pick<Config, 'mail' | 'dataDir' | 'databaseUrl'>

export function greeting(publicUrl: string, address: string, config: Settings): string {
  const npm = `${settingsOf(config.dataDir, new URL(address).port)}npm run`
  const mail =
    config.mail.kind === 'file'
      ? `${config.mail.folder}  (${npm} mail shows the newest)`
      : config.mail.kind === 'smtp'
        ? 'by SMTP'
        : 'switched off: nobody can register'
  // The address of a database may hold a password.
  const same = config.databaseUrl === undefined ? '' : ', with the same DATABASE_URL and SECRET_KEY'
  return [
    '',
    `  Kith is ready at ${publicUrl}${publicUrl === address ? '' : `  (listening on ${address})`}`,
    '',
    `  Site     ${publicUrl}/`,
    `  Data     ${config.dataDir}`,
    `  Mail     ${mail}`,
    `  Docs     ${publicUrl}/docs`,
    '',
    `  In a second terminal, in this checkout${same}:`,
    '',
    `  Seed     ${npm} seed     (a small town to look at)`,
    `  Console  ${npm} operator -- operator create EMAIL`,
    `  Next     npx kith register --url ${publicUrl}`,
    '',
    '',
  ].join('\n')
}

/** What a command needs to find this service, if it is not where it usually is. */
export function settingsOf(dataDir: string, port: string): string {
  const word = /^[\w@%+=:,./-]+$/.test(dataDir) ? dataDir : `'${dataDir.replaceAll("'", "'\\''")}'`
  return `${dataDir === resolve('./data') ? '' : `DATA_DIR=${word} `}${port === '8080' ? '' : `PORT=${port || '80'} `}`
}
