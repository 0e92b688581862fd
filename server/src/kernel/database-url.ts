// DATABASE_URL as PostgreSQL's own programs read it: without a host it means a Unix socket on this machine.

/** The folders of the socket in Debian's packages, and in PostgreSQL as its authors build it. */
export const socketFolders: readonly string[] = ['/run/postgresql', '/var/run/postgresql', '/tmp']

/** What `sslmode` may say. */
export const sslModes: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

export interface DatabaseUrl {
  /** With a placeholder as its host if it has only a user. */
  url: URL
  /** Undefined if it has to be searched in the {@link socketFolders}. */
  host: string | undefined
  port: number
}

/**
 * Undefined if it is not a URL. `postgresql://user@/database` is valid for PostgreSQL, but not for the URL standard.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const isBare = !URL.canParse(text) && /^[^/?#]*\/\/[^/?#]*@(?=[/?#]|$)/.test(text)
  const whole = isBare ? text.replace(/@(?=[/?#]|$)/, '@local-socket') : text
  if (!URL.canParse(whole)) return undefined
  const url = new URL(whole)
  const inAuthority = isBare ? '' : decodeURIComponent(url.hostname)
  const host = url.searchParams.get('host') || inAuthority
  return { url, host: host === '' ? undefined : host, port: Number(url.searchParams.get('port') || url.port || 5432) }
}
