// A piece of SQL that is spliced into a statement, with its values: rules that several statements share.

export interface Part {
  readonly part: TemplateStringsArray
  readonly values: readonly unknown[]
}

/** A piece of SQL to splice into a statement: `` sql`select … ${part`for update`}` ``. */
export const part = (strings: TemplateStringsArray, ...values: unknown[]): Part => ({ part: strings, values })

/** Pieces with a comma between each two, such as the rows of `values`; there must be one at least. */
export const listed = (pieces: readonly Part[]): Part => pieces.reduce((all, each) => part`${all}, ${each}`)
