// What is freed when a function ends: `using`, which Node 22 does not know.

/** Frees what it is given, the last first, when the function that got it ends. */
type Use = <Held extends Disposable>(held: Held) => Held

/** A function whose first argument takes what is to be freed at its end, or at that of the promise that it returns. */
export function disposing<Arguments extends unknown[], Result>(
  work: (use: Use, ...args: Arguments) => Result,
): (...args: Arguments) => Result {
  return (...args) => {
    const all: Disposable[] = []
    const end = (): void => {
      for (const held of all.splice(0).reverse()) held[Symbol.dispose]()
    }
    let isPending = false
    try {
      const result = work(
        (held) => {
          all.push(held)
          return held
        },
        ...args,
      )
      isPending = result instanceof Promise
      return isPending ? ((result as Promise<unknown>).finally(end) as Result) : result
    } finally {
      if (!isPending) end()
    }
  }
}
