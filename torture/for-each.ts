/** Runs `work` for each of a list, at most `atOnce` at a time. */
export async function forEach<T>(list: readonly T[], work: (each: T) => Promise<void>, atOnce = 16): Promise<void> {
  const waiting = list.values()
  const worker = async (): Promise<void> => {
    for (const each of waiting) await work(each)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker))
}
