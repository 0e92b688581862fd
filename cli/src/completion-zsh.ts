// Completion for zsh, with what each word does beside it.
import { type Flag, firstWords, type Grammar, quoted, secondWords, type Values } from './completion-grammar.ts'

export function zshCompletion(grammar: Grammar): string {
  const { words, flags } = grammar
  const groups = firstWords(grammar).filter(({ word }) => secondWords(grammar, word).length > 0)
  return `#compdef kith
# kith completion zsh
_kith_profiles() {
  local -a found
  found=("\${KITH_HOME:-$HOME/.kith}"/*(N/:t))
  _wanted profiles expl profile compadd -a found
}

_kith() {
  local curcontext="$curcontext" state line expl command first
  local -a specs
  # The name of the command: its words without options and their values.
  local -a names takers
  local word last='' n
  takers=(${[...new Set([...flags, ...words.flatMap((word) => word.flags)].filter(({ takesValue }) => takesValue).flatMap(spellings))].join(' ')})
  for ((n = 2; n < CURRENT; n++)); do
    word="$words[n]"
    if (( ! takers[(Ie)$last] )) && [[ "$word" != -* ]]; then names+=("$word"); fi
    last="$word"
  done
  first="$names[1]"
  command="$first"
  case "$names[1] $names[2]" in
    ${groups.flatMap(({ word: first }) => secondWords(grammar, first).map(({ word }) => quoted(`${first} ${word}`))).join('|')}) command="$names[1] $names[2]" ;;
  esac
  specs=(${flags.map(specOf).join(' ')})
  case "$command" in
${words.flatMap(({ name, flags }) => (flags.length === 0 ? [] : [`    ${quoted(name)}) specs+=(${flags.map(specOf).join(' ')}) ;;`])).join('\n')}
    '') specs+=(${quoted('--version[show the version]')}) ;;
  esac
  local ret=1
  _arguments -C -S $specs '*:word:->words' && ret=0
  [[ "$state" = words ]] || return ret
  if (( $#names == 0 )); then
    local -a firsts
    firsts=(
${firstWords(grammar)
  .map(({ word, summary }) => `      ${described(word, summary)}`)
  .join('\n')}
    )
    _describe -t commands command firsts
    return
  fi
  if (( $#names == 1 )); then
    local -a seconds
    case "$first" in
${groups
  .map(
    ({ word: first }) =>
      `      ${first}) seconds=(${secondWords(grammar, first)
        .map(({ word, summary }) => described(word, summary))
        .join(' ')}) ;;`,
  )
  .join('\n')}
    esac
    (( $#seconds )) && _describe -t commands command seconds
  fi
  case "$command" in
${words.flatMap(({ name, values }) => (values === undefined ? [] : [`    ${quoted(name)}) ${filled(values)} ;;`])).join('\n')}
  esac
}
if [[ "\${zsh_eval_context[-1]}" = loadautofunc ]]; then _kith "$@"; else compdef _kith kith; fi
`
}

const spellings = ({ name, short }: Flag): string[] => [name, ...(short === undefined ? [] : [short])]

const described = (word: string, summary: string): string => quoted(`${word}:${summary.replaceAll(':', '\\:')}`)

/** One option as `_arguments` wants it; the brackets hold what it does. */
function specOf({ name, short, takesValue, values, help }: Flag): string {
  const text = help.replaceAll(/[[\]\\:]/g, '\\$&')
  const value = takesValue ? `:${name.slice(2)}:${actionOf(values)}` : ''
  const specs = [name, ...(short === undefined ? [] : [short])].map((each) => quoted(`*${each}[${text}]${value}`))
  return specs.join(' ')
}

function actionOf(values: Values): string {
  if (values === 'path') return '_files'
  if (values === 'profile') return '_kith_profiles'
  return values === undefined ? ' ' : `(${values.join(' ')})`
}

function filled(values: Values): string {
  if (values === 'path') return '_files'
  if (values === 'profile') return '_kith_profiles'
  return `compadd -- ${(values ?? []).join(' ')}`
}
