// A template of SQL as a named statement: each text is made once, and prepared once per connection.
import type { Part } from '../kernel/part.ts'
import type { Statement } from './flight.ts'

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && 'part' in value

const plain = new WeakMap<TemplateStringsArray, { name: string; text: string }>()
const names = new Map<string, string>()

function named(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `s${names.size + 1}`
    names.set(text, name)
  }
  return name
}

/** One that is always the same. */
export const fixed = (text: string): Statement => ({ name: named(text), text, values: [] })

/**
 * Turns a template into a named statement. There are as many texts as the code has, because values never enter them.
 */
export function statement(strings: TemplateStringsArray, values: readonly unknown[]): Statement {
  if (!values.some(isPart)) {
    let known = plain.get(strings)
    if (known === undefined) {
      let text = strings[0] as string
      for (let i = 1; i < strings.length; i++) text += `$${i}${strings[i]}`
      known = { name: named(text), text }
      plain.set(strings, known)
    }
    return { ...known, values }
  }
  const flat: unknown[] = []
  const shape = flatten(values, shapeOf(shapes, strings), flat)
  shape.statement ??= write(strings, values)
  return { ...shape.statement, values: flat }
}

/** The templates of a statement with parts, each followed by its values, as a path: long texts are made once. */
interface Shape {
  statement?: { name: string; text: string }
  next: Map<TemplateStringsArray | typeof parameter, Shape>
}

const parameter = Symbol('parameter')
const shapes: Shape = { next: new Map() }

function shapeOf({ next }: Shape, step: TemplateStringsArray | typeof parameter): Shape {
  const known = next.get(step) ?? { next: new Map() }
  next.set(step, known)
  return known
}

/** Collects the parameters in their order; returns where the path leads. */
function flatten(values: readonly unknown[], from: Shape, flat: unknown[]): Shape {
  let shape = from
  for (const value of values) {
    if (isPart(value)) shape = flatten(value.values, shapeOf(shape, value.part), flat)
    else {
      shape = shapeOf(shape, parameter)
      flat.push(value)
    }
  }
  return shape
}

function write(strings: TemplateStringsArray, values: readonly unknown[]): { name: string; text: string } {
  let count = 0
  const join = (pieces: readonly string[], inner: readonly unknown[]): string =>
    inner.reduce<string>((text, value, i) => {
      const given = isPart(value) ? join(value.part, value.values) : `$${++count}`
      return text + given + pieces[i + 1]
    }, pieces[0] as string)
  const text = join(strings, values)
  return { name: named(text), text }
}
