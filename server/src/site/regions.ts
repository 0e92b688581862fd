// In which region's way a language is written: the reader's, where there is data of it. docs/contract/site.md#languages.

/** Undefined if it is no BCP 47. */
function localeOf(code: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(code)
  } catch {
    return undefined
  }
}

/** The language and the script that one reads. */
const read = (locale: Intl.Locale): string => {
  const { language, script } = locale.maximize()
  return `${language}-${script}`
}

/**
 * A language in the first region that is named with it among these; the language alone where none is, where it is of a region
 * already, or where nobody knows how they write there. Nothing else of what is asked for is in it, so there are few.
 */
export function regionalOf(language: string, wanted: readonly string[]): string {
  const own = new Intl.Locale(language)
  if (own.region !== undefined) return language
  for (const code of wanted) {
    const asked = localeOf(code)
    if (asked?.region === undefined || read(asked) !== read(own)) continue
    const { baseName } = new Intl.Locale(language, { region: asked.region })
    return new Intl.NumberFormat(baseName).resolvedOptions().locale === baseName ? baseName : language
  }
  return language
}
