// Paths of this site that came from outside: what a form names as the page to go back to.

/** The path with its query and fragment, where that is what it is and nothing that a browser could take for another site. */
export function pathOfSite(text: string | undefined, publicUrl: string): string | undefined {
  if (text === undefined || text.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return undefined
  if (!URL.canParse(text, publicUrl)) return undefined
  const { origin, pathname, search, hash } = new URL(text, publicUrl)
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}
