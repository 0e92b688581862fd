// What a failed start or command prints: one line, and never a stack trace for what can be expected.
import { ConfigError } from './config.ts'
import { parseDatabaseUrl } from './kernel/database-url.ts'

/** The reason in one line; of several attempts at once the first. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return (error.message || code || error.name).replace(/\s*\n\s*/g, ' ')
}

/** Whether an error is a mistake in the program, which only its stack explains. */
export const isMistake = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError

/** A database that cannot be reached, said in the words of the settings: the URL holds a password. */
export function unreachable(databaseUrl: string | undefined, error: unknown): ConfigError {
  const where =
    databaseUrl === undefined ? 'the embedded database' : `the database of DATABASE_URL (${hostOf(databaseUrl)})`
  return new ConfigError(`Cannot reach ${where}: ${untrusted(error) ?? reasonOf(error)}`, { cause: error })
}

/** Node's reasons name its own settings. */
function untrusted(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'its certificate is for another name: use the name of the server that the certificate has'
  return /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code)
    ? 'its certificate is from an authority that Kith does not know: name the file with the certificate of that authority in sslrootcert'
    : undefined
}

function hostOf(databaseUrl: string): string {
  const address = parseDatabaseUrl(databaseUrl)
  if (address?.host === undefined) return 'local socket'
  return address.host.startsWith('/') ? address.host : `${address.host}:${address.port}`
}
