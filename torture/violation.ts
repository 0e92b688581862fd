// What ends a run: a rule that does not hold, in one line, with what shows it.
export class Violation extends Error {
  readonly records: readonly unknown[]
  constructor(reason: string, records: readonly unknown[]) {
    super(reason)
    this.records = records
  }
}

/** Ends the run: `records` are whatever one has to see to believe it. */
export function violated(reason: string, ...records: readonly unknown[]): never {
  throw new Violation(reason, records)
}

export function ensure(holds: boolean, reason: string, ...records: readonly unknown[]): asserts holds {
  if (!holds) violated(reason, ...records)
}
