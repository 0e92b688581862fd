// The word on something that waits before it is shown: approved or rejected.
import { invalid } from '../kernel/refuse.ts'
import type { HtmlPart } from '../site/html.ts'
import { type Attempt, choices } from '../site/parts/form.ts'
import type { ConsoleScene } from './page.ts'

const verdicts = ['approve', 'reject'] as const

export const verdictEntry = ({ words }: Pick<ConsoleScene, 'words'>, attempt: Attempt): HtmlPart =>
  choices(attempt, {
    name: 'verdict',
    label: words('console.judge.verdict'),
    options: [
      { value: '', name: words('console.judge.choose') },
      ...verdicts.map((value) => ({ value, name: words(`console.judge.${value}`) })),
    ],
  })

export const verdictIn = ({ verdict }: Readonly<Record<string, string>>): (typeof verdicts)[number] =>
  verdicts.find((each) => each === verdict) ?? invalid({ path: 'verdict', problem: 'must be one of the choices' })
