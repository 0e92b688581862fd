// What a route accepts: its parameters and its body, canonicalised in place and checked.
// docs/contract/representation.md#order-of-checks.
import { type Code, type Problem, refuse } from '../kernel/refuse.ts'
import { closed, type Static, type TObject } from '../kernel/schema.ts'
import type { Route } from './route.ts'
import { checker } from './validate.ts'

export interface Checks {
  /** `not_found` for a malformed ID. */
  params: (params: Record<string, unknown>) => void
  /** The body as the route gets it; refuses what the route does not accept. */
  body: (body: Record<string, unknown> | undefined) => Record<string, unknown> | undefined
}

const known = new WeakMap<Route, Checks>()

/** Created once per route. */
export function checksOf(route: Route): Checks {
  const made = known.get(route) ?? make(route)
  known.set(route, made)
  return made
}

function make(route: Route): Checks {
  const checkParams = checker(closed(route.params ?? {}))
  const checkBody = route.body && checker(route.body as TObject)
  const mayBeAbsent = route.body !== undefined && Object.keys(route.body.properties).length === 0
  return {
    params(params) {
      if (checkParams(params).length > 0) refuse('not_found')
    },
    body(given) {
      if (!checkBody) {
        if (given === undefined) return undefined
        const fields = Object.keys(given).map((path) => ({ path, problem: 'unknown field' }))
        return refuse('invalid_input', { message: 'This method takes no body', details: { fields } })
      }
      if (given === undefined && !mayBeAbsent) refuse('invalid_json', { message: 'Send a JSON object' })
      const body = given ?? {}
      const fields = checkBody(body)
      if (fields.length > 0) refuse(codeOf(route, body, fields), { details: { fields } })
      return body
    },
  }
}

const codeOf = (
  { invalidBody = 'invalid_input' }: Route,
  body: Record<string, unknown>,
  problems: readonly Problem[],
): Code => (typeof invalidBody === 'function' ? invalidBody(body, problems) : invalidBody)

/** Input by a schema for endpoints beside the routes: canonicalised in place, or `invalid_input`. */
export function bodyCheck<T extends TObject>(schema: T): (body: Record<string, unknown>) => Static<T> {
  const check = checker(schema)
  return (body) => {
    const fields = check(body)
    if (fields.length > 0) refuse('invalid_input', { details: { fields } })
    return body as Static<T>
  }
}
