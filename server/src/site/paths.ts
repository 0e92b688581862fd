// Paths of this site that came from outside: the page that a form names to go back to, and links that people paste.

/** The path with its query and fragment, where that is what it is and nothing that a browser could take for another site. */
export function pathOfSite(text: string | undefined, publicUrl: string): string | undefined {
  if (text === undefined || text.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return undefined
  if (!URL.canParse(text, publicUrl)) return undefined
  const { origin, pathname, search, hash } = new URL(text, publicUrl)
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}

/** The path of a pasted link to this site, with or without its scheme. */
export function pathLinked(text: string, publicUrl: string): string | undefined {
  const { host } = new URL(publicUrl)
  const link = text.trim().replace(/^https?:\/\//i, '')
  return link.toLowerCase().startsWith(`${host}/`) ? pathOfSite(link.slice(host.length), publicUrl) : undefined
}
