// Completion for fish, with what each word does beside it.
import { type Flag, firstWords, type Grammar, secondWords, type Values } from './completion-grammar.ts'

export function fishCompletion(grammar: Grammar): string {
  const { words, flags } = grammar
  const takers = [...flags, ...words.flatMap((word) => word.flags)].filter(({ takesValue }) => takesValue)
  const spelt = [...new Set(takers.flatMap(({ name, short }) => [name, ...(short === undefined ? [] : [short])]))]
  return `# kith completion fish
function __kith_profiles
    set -l home $HOME/.kith
    set -q KITH_HOME; and test -n "$KITH_HOME"; and set home $KITH_HOME
    for folder in $home/*/
        basename $folder
    end
end

# The words before the cursor that are no options and no values of them.
function __kith_names
    set -l last ''
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word; and not contains -- $last ${spelt.join(' ')}
            echo $word
        end
        set last $word
    end
end

function __kith_none
    test (count (__kith_names)) -eq 0
end

function __kith_first
    set -l names (__kith_names)
    test (count $names) -eq 1; and test $names[1] = $argv[1]
end

function __kith_is
    set -l names (__kith_names)
    set -l words (count (string split ' ' -- $argv[1]))
    test (count $names) -ge $words; and test "$names[1..$words]" = $argv[1]
end

complete -c kith -f
${flags.map((flag) => `complete -c kith ${specOf(flag)}`).join('\n')}
complete -c kith -n __kith_none -l version -d 'Show the version'
${firstWords(grammar)
  .map(({ word, summary }) => `complete -c kith -n __kith_none -a ${word} -d ${quoted(summary)}`)
  .join('\n')}
${firstWords(grammar)
  .flatMap(({ word: first }) =>
    secondWords(grammar, first).map(
      ({ word, summary }) => `complete -c kith -n '__kith_first ${first}' -a ${word} -d ${quoted(summary)}`,
    ),
  )
  .join('\n')}
${words
  .flatMap(({ name, flags, values }) => [
    ...flags.map((flag) => `complete -c kith -n ${condition(grammar, name)} ${specOf(flag)}`),
    ...(values === undefined ? [] : [`complete -c kith -n ${condition(grammar, name)} ${valuesOf(values)}`]),
  ])
  .join('\n')}
`
}

/** Single quotes of fish know two escapes. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Of `files`, but not of `files discard`. */
function condition(grammar: Grammar, name: string): string {
  const longer = name.includes(' ') ? [] : secondWords(grammar, name)
  const none = longer.map(({ word }) => `; and not __kith_is ${quoted(`${name} ${word}`)}`)
  return quoted(`__kith_is ${quoted(name)}${none.join('')}`)
}

function specOf({ name, short, takesValue, values, help }: Flag): string {
  const letter = short === undefined ? '' : ` -s ${short.slice(1)}`
  const value = takesValue ? ` -r${values === undefined ? '' : ` ${valuesOf(values)}`}` : ''
  return `-l ${name.slice(2)}${letter}${value} -d ${quoted(help)}`
}

function valuesOf(values: Exclude<Values, undefined>): string {
  if (values === 'path') return '-F'
  return values === 'profile' ? "-f -a '(__kith_profiles)'" : `-f -a ${quoted(values.join(' '))}`
}
