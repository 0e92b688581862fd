// What a download is to be called: only by what the file is and which of several, so that no link can name it anything
// else. docs/contract/attachments.md#bytes.
import { Formed, type TSchema } from '../../kernel/schema.ts'

const savedRoles = ['input', 'result', 'progress', 'file'] as const
export type SavedRole = (typeof savedRoles)[number]

const form = `^(${savedRoles.join('|')})-[1-9][0-9]?$`

export const savedName: { schema: TSchema; absent: undefined; parse: (text: string) => string | undefined } = {
  schema: Formed(form, `must be ${savedRoles.join(', ')} with a number up to 99, such as result-2`, {
    description: `A role (${savedRoles.join(', ')}) and a number up to 99, such as \`result-2\`: it is saved under this name instead of its ID`,
  }),
  absent: undefined,
  parse: (text) => (new RegExp(form).test(text) ? text : undefined),
}
