// A piece of SQL that is spliced into a statement, with its values: rules that several statements share.

export interface Part {
  readonly part: TemplateStringsArray
  readonly values: readonly unknown[]
}

/** A piece of SQL to splice into a statement: `` sql`select … ${part`for update`}` ``. */
export const part = (strings: TemplateStringsArray, ...values: unknown[]): Part => ({ part: strings, values })
