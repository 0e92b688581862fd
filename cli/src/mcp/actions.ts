// What tools with actions share: `list` and `show` that read, and what changes something.
import { answer, type Field, id, invalid, listOf, orNull, string, type Takes, word } from './schema.ts'

export const after = string('From next')
export const operation_id = id('UUID: done once')
export const gives = {
  items: listOf('With list'),
  item: answer('object', 'Otherwise'),
  next: orNull('string', 'For after'),
}

/** What a tool takes to list and to show. */
export const reads = (properties: Takes['properties']): Takes => ({
  properties: { action: word('What to do', 'list', 'show'), ...properties, after },
  required: ['action'],
})

/** The same with what changes something. */
export const takes = ({ properties }: Takes, actions: string[], more: Record<string, Field>): Takes => ({
  properties: { ...properties, action: word('What to do', 'list', 'show', ...actions), ...more, operation_id },
  required: ['action'],
})

export const need = <T>(value: T | undefined, name: string): T => value ?? invalid(name, 'is missing')

/** The fields that are there. */
export function only<T extends object, K extends keyof T>(
  from: T,
  ...names: K[]
): { [N in K]?: Exclude<T[N], undefined> } {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as never
}
