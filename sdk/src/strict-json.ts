// JSON that is signed: read so that every reader finds the same in it, and written as RFC 8785 (JCS) writes it.

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** Deeper than anything that is signed here. */
const deepest = 16

/**
 * The value of a JSON text; undefined if it has no value, or if readers may differ about it: a key repeated in an object, a number
 * beyond those of JavaScript, a lone surrogate, nesting deeper than 16.
 */
export function readStrictly(text: string): Json | undefined {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return undefined
  }
  let keys = 0
  for (const [, colon] of text.matchAll(string)) if (colon) keys++
  // Of equal keys `JSON.parse` keeps the last, and so has fewer than the text.
  return keysOf(value, deepest) === keys ? value : undefined
}

/** Whether a value has nothing that readers differ about. */
export const isPlain = (value: Json): boolean => !Number.isNaN(keysOf(value, deepest))

/** In JSON, what stands before a colon is a key. */
const string = /"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/g

/** How many keys there are in a value at every depth; NaN if it has something that readers differ about. */
function keysOf(value: Json, depth: number): number {
  if (typeof value === 'string') return /\p{Cs}/u.test(value) ? Number.NaN : 0
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (depth === 0) return Number.NaN
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + keysOf(each, depth - 1), 0)
  return Object.entries(value).reduce((sum, [key, each]) => sum + 1 + keysOf(key, depth) + keysOf(each, depth - 1), 0)
}

/** Canonical JSON (RFC 8785): keys sorted by their UTF-16 units, no white space, numbers and strings as ECMAScript writes them. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const sorted = Object.keys(value).sort()
  return `{${sorted.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`).join(',')}}`
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
