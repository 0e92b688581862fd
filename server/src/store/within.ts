// Answers that are not waited for longer than they may take.

/** An answer came too late, or not at all. */
export class Late extends Error {}

/** Rejects with {@link Late} after so many milliseconds; how the work ends is then heard by nobody. */
export async function within<T>(
  milliseconds: number,
  work: Promise<T>,
  message: string = `no answer within ${milliseconds} ms`,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // After a turn of the loop, because a process that was blocked has not read the answers yet.
    timer = setTimeout(() => setImmediate(() => reject(new Late(message))), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
