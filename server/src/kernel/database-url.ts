// DATABASE_URL as PostgreSQL's own programs read it: without a host it means a Unix socket of this machine.

/** The folders of the socket in Debian's packages, and in PostgreSQL as its authors build it. */
export const socketFolders: readonly string[] = ['/run/postgresql', '/var/run/postgresql', '/tmp']

export interface DatabaseUrl {
  /** With a name of no meaning as its host where it has none but a user. */
  url: URL
  /** Undefined where it is to be looked for in the {@link socketFolders}. */
  host: string | undefined
  port: number
}

/** Undefined where it is no URL. `postgresql://user@/database` is one for PostgreSQL, and not for the standard. */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const isBare = !URL.canParse(text) && /^[^/?#]*\/\/[^/?#]*@(?=[/?#]|$)/.test(text)
  const whole = isBare ? text.replace(/@(?=[/?#]|$)/, '@local-socket') : text
  if (!URL.canParse(whole)) return undefined
  const url = new URL(whole)
  const inAuthority = isBare ? '' : decodeURIComponent(url.hostname)
  const host = url.searchParams.get('host') || inAuthority
  return {
    url,
    host: host === '' ? undefined : host,
    port: Number(url.searchParams.get('port') || url.port || 5432),
  }
}
