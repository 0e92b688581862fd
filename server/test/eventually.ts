// Waiting, for tests that need no service too.

/** Tries until there is a value; for what follows a commit, such as mails and events. */
export async function eventually<T>(attempt: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  // Longer than anything takes on a machine whose cores are all busy.
  const deadline = performance.now() + 240_000
  for (;;) {
    const value = await attempt()
    if (value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
