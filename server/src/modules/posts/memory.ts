// Remembers a text for each key, in one version. The oldest are forgotten first.

export interface Memory {
  find(key: string, version: string): string | undefined
  /** The newest text is found at least until the next one is kept. */
  keep(key: string, version: string, text: string): void
}

/** Remembers up to `most` characters, and always the newest text. */
export function createMemory(most: number): Memory {
  const known = new Map<string, { version: string; text: string }>()
  let characters = 0
  const forget = (key: string): void => {
    const was = known.get(key)
    if (!was) return
    known.delete(key)
    characters -= was.version.length + was.text.length
  }
  return {
    find(key, version) {
      const found = known.get(key)
      return found?.version === version ? found.text : undefined
    },
    keep(key, version, text) {
      forget(key)
      known.set(key, { version, text })
      characters += version.length + text.length
      while (characters > most && known.size > 1) forget(known.keys().next().value as string)
    },
  }
}
