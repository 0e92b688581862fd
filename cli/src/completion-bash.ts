// Completion for bash, of version 3.2 on and without the package bash-completion.
import {
  type Flag,
  firstWords,
  type Grammar,
  quoted,
  secondWords,
  type Values,
  type Word,
} from './completion-grammar.ts'

export function bashCompletion(grammar: Grammar): string {
  const { words, flags } = grammar
  const firsts = firstWords(grammar).map(({ word }) => word)
  const groups = firsts.filter((first) => secondWords(grammar, first).length > 0)
  return `# kith completion bash
_kith_profiles() {
  local folder
  for folder in "\${KITH_HOME:-$HOME/.kith}"/*/; do
    [ -d "$folder" ] && basename "$folder"
  done
}

# Whether a word is an option whose value comes next.
_kith_takes_value() {
  case "$1" in
    ${[...new Set([...flags, ...words.flatMap((word) => word.flags)].filter(takes).flatMap(spellings))].join('|')}) return 0 ;;
  esac
  return 1
}

# What the value of an option of a command is completed with.
_kith_values() {
  case "$1 $2" in
${words.flatMap((word) => word.flags.filter(isKnown).map((flag) => `    ${patternOf(word, flag)}) ${fill(flag.values)} ;;`)).join('\n')}
    ${flags
      .filter(isKnown)
      .flatMap((flag) => spellings(flag).map((name) => `*' ${name}'`))
      .join('|')}) ${fill('profile')} ;;
  esac
}

_kith_fill() {
  local reply
  # Names of files get their slashes and quotes; bash 3.2 has no way to say so here.
  [ "$1" = -f ] && compopt -o filenames 2>/dev/null
  # A name with blanks in it is one word.
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen "$@" -- "$cur")
}

_kith() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" first='' second='' word last='' count=0 n command
  COMPREPLY=()
  for ((n = 1; n < COMP_CWORD; n++)); do
    word="\${COMP_WORDS[n]}"
    if [ "$word" = -- ]; then
      return
    elif _kith_takes_value "$last" && [ "$word" != = ]; then
      :
    elif [[ "$word" == -* || "$word" == = ]]; then
      :
    else
      count=$((count + 1))
      if [ "$count" = 1 ]; then first="$word"; elif [ "$count" = 2 ]; then second="$word"; fi
    fi
    [ "$word" != = ] && last="$word"
  done
  command="$first"
  case "$first $second" in
    ${groups.flatMap((first) => secondWords(grammar, first).map(({ word }) => quoted(`${first} ${word}`))).join('|')}) command="$first $second" ;;
  esac
  [ "$cur" = = ] && cur=''
  if _kith_takes_value "$last"; then
    _kith_values "$command" "$last"
  elif [[ "$cur" == -* ]]; then
    case "$command" in
${words.map((word) => `      ${quoted(word.name)}) _kith_fill -W ${quoted([...word.flags, ...flags].map(({ name }) => name).join(' '))} ;;`).join('\n')}
      *) _kith_fill -W ${quoted([...flags.map(({ name }) => name), '--version'].join(' '))} ;;
    esac
  elif [ -z "$first" ]; then
    _kith_fill -W ${quoted(firsts.join(' '))}
  else
    if [ "$count" = 1 ]; then
      case "$first" in
${groups.map((first) => `        ${first}) _kith_fill -W ${quoted(secondsOf(grammar, first))} ;;`).join('\n')}
      esac
    fi
    case "$command" in
${words.flatMap(({ name, values }) => (values === undefined ? [] : [`      ${quoted(name)}) ${fill(values)} ;;`])).join('\n')}
    esac
  fi
}
complete -F _kith kith
`
}

const takes = ({ takesValue }: Flag): boolean => takesValue
const isKnown = ({ values }: Flag): boolean => values !== undefined
const spellings = ({ name, short }: Flag): string[] => [name, ...(short === undefined ? [] : [short])]
const patternOf = (word: Word, flag: Flag): string =>
  spellings(flag)
    .map((name) => quoted(`${word.name} ${name}`))
    .join('|')
const secondsOf = (grammar: Grammar, first: string): string =>
  secondWords(grammar, first)
    .map(({ word }) => word)
    .join(' ')

function fill(values: Values): string {
  if (values === 'path') return '_kith_fill -f'
  if (values === 'profile') return '_kith_fill -W "$(_kith_profiles)"'
  return `_kith_fill -W ${quoted((values ?? []).join(' '))}`
}
