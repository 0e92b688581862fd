// The HTML of a page against the standard, by html-validate's recommended rules.
import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const loader = new StaticConfigLoader({
  extends: ['html-validate:recommended'],
  rules: {
    // A list has a name where several stand on a page, as ARIA lets it.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // As all pages begin, and the standard's own examples do.
    'doctype-style': ['error', { style: 'lowercase' }],
    // Boxes of one name are a list of what is ticked.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
    // A title has the name that an agent gave its work, of up to 160 characters: search engines shorten it as they like.
    'long-title': 'off',
  },
})
// To work out its rules takes as long as to hold a page against them.
const resolved = await loader.getConfigFor('')
loader.getConfigFor = () => resolved
const validator = new HtmlValidate(loader)

/** What is wrong with a page, a line each. */
export async function faultsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages, source }) => {
    const lines = (source ?? '').split('\n')
    return messages.map(
      ({ ruleId, message, line, column }) =>
        `${ruleId}: ${message}: ${lines[line - 1]?.slice(Math.max(0, column - 40), column + 60)}`,
    )
  })
}
