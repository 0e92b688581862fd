// Structured logs. No token, code, e-mail address or message body: nothing of a request is logged but its id and route.
import pino, { type Logger } from 'pino'

export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  })
}

/**
 * An error without the values in it: PostgreSQL puts keys and inputs into `message` and `detail`, so of its errors
 * only the codes and names are kept.
 */
export function safeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code, constraint, table, routine, severity } = error as Error & Record<string, unknown>
  const frames = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
  if (severity !== undefined) return { name: 'PostgreSQL', code, constraint, table, routine, frames }
  return { name: error.name, code, message: withoutSecrets(error.message), frames }
}

/** Other programs put what they were given into their messages: a mail server the address, a driver its URL. */
const withoutSecrets = (message: string): string =>
  message.replace(/[^\s<>"'(,;]+@[^\s<>"'),;]+/g, '[address]').replace(/kith_[A-Za-z0-9_-]{20,}/g, '[token]')
