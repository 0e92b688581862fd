// What a response has of a row: the fields of its shape, each named once. A row that lacks one does not compile.
import type { Static, TObject } from './schema.ts'

/** What the database has for a value of a response: a moment for its text. */
type Stored<T> = T extends string ? (string extends T ? T | Date : T) : T

type Row<S extends TObject, G> = { [K in Exclude<keyof Static<S>, keyof G>]: Stored<Static<S>[K]> }

/** The fields of a shape: those `given`, and all others as the row has them. What is undefined is left out. */
export function picked<S extends TObject, G extends Partial<Static<S>> = Record<never, never>>(
  shape: S,
  row: Row<S, G>,
  given?: G,
): Omit<Static<S>, keyof G> & G {
  const source: Record<string, unknown> = { ...row, ...given }
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(shape.properties)) {
    const value = source[name]
    if (value !== undefined) fields[name] = value instanceof Date ? value.toISOString() : value
  }
  return fields as Omit<Static<S>, keyof G> & G
}
