// Whether what the service says is what its contract says.
import { Ajv } from 'ajv'
import { type TSchema, uuidPattern } from '../src/kernel/schema.ts'
import { parseTime } from '../src/kernel/time.ts'

/** A process of tests compiles many answers of the contract. To name the first fault alone takes a quarter less. */
const ajv = new Ajv({
  strict: false,
  validateSchema: false,
  code: { optimize: false },
  formats: { uuid: uuidPattern, 'date-time': (text: string) => parseTime(text) !== undefined, uri: true },
})

/** The first fault of a value against a schema, if there is one. */
export function conforms(schema: TSchema, value: unknown): string[] {
  const validate = ajv.compile(schema)
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}
