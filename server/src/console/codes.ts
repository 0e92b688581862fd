// The reason code of what takes something away: how it is chosen, and what was chosen.
import { invalid } from '../kernel/refuse.ts'
import { type ReportCode, reportCodes } from '../modules/moderation/machine.ts'
import type { HtmlPart } from '../site/html.ts'
import { type Attempt, choices } from '../site/parts/form.ts'
import type { ConsoleScene, Input } from './page.ts'

/** Nothing is chosen at first: whoever is judged reads the code. */
export const codeEntry = (
  { words }: Pick<ConsoleScene, 'words'>,
  attempt: Attempt,
  name: 'code' | 'reason_code' = 'code',
): HtmlPart =>
  choices(attempt, {
    name,
    label: words('console.code'),
    isRequired: true,
    options: [
      { value: '', name: words('form.choose') },
      ...reportCodes.map((code) => ({ value: code, name: words(`console.code.${code}`) })),
    ],
  })

export const codeIn = ({ code }: Input['fields']): ReportCode =>
  reportCodes.find((each) => each === code) ?? invalid({ path: 'code', problem: 'must be a reason code' })
