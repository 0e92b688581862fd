// The files that a customer gives with its parameters: looked at when a price is asked for, bound when an order is made.
// docs/contract/services.md#files.

import type { FileFormat } from '../../inspect/formats.ts'
import { formats } from '../../inspect/formats.ts'
import type { Party } from '../../kernel/callers.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import type { Query } from '../../store/sql.ts'
import { canonicalParameters, type Form, filesNamed, type MediaType, type Parameters } from './form.ts'
import type { Inputs } from './show.ts'

/** What is wanted of a service, as a body has it. */
interface InputsGiven {
  quantity?: number | undefined
  parameters?: Parameters | undefined
  input_attachment_ids?: readonly string[] | undefined
}

/** The same with its defaults spelled out, in the form by which a replay is compared. */
export const inputsOf = ({ quantity = 1, parameters = {}, input_attachment_ids = [] }: InputsGiven): Inputs => ({
  quantity,
  parameters: canonicalParameters(parameters, input_attachment_ids),
  input_attachment_ids,
})

/**
 * Requires of every listed file that it is the caller's own, for orders, ready and held by nothing, and of those that the
 * judged parameters name that the form takes their media type. Refuses `invalid_attachment`, `attachment_already_bound`
 * and `invalid_input`. Nothing is bound or locked.
 */
export async function requireInputs(
  sql: Query,
  me: Party,
  form: Form,
  parameters: Parameters,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const files = await sql<{ id: string; file_format: FileFormat; first_bound_at: Date | null }>`
    select id, file_format, first_bound_at from attachments
    where id = any(${ids}::uuid[]) and owner_id = ${me.id} and purpose = 'order' and status = 'ready'`
  if (files.length < ids.length) refuse('invalid_attachment')
  if (files.some((file) => file.first_bound_at !== null)) refuse('attachment_already_bound')
  const wrong = filesNamed(form, parameters).filter(({ id, mediaTypes }) => {
    const format = files.find((file) => file.id === id)?.file_format
    return format !== undefined && !mediaTypes.includes(formats[format].mimeType as MediaType)
  })
  if (wrong.length > 0) {
    invalid(
      ...wrong.map(({ key, mediaTypes }) => ({
        path: `parameters.${key}`,
        problem: `must be ${mediaTypes.join(', ')}`,
      })),
    )
  }
}
