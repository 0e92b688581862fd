// Plain English, as far as a list of phrases can see it: `phrases.ts`.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { phrases } from './phrases.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Markdown without code and addresses. What is generated is checked where it is written. */
const prose = (text: string): string[] =>
  text
    .replace(/<!-- generated[\s\S]*?<!-- end of generated -->/g, '')
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '`')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )/)

/** Comments of TypeScript, without code in backticks; lines that follow each other are one. */
const comments = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*\/\*\*?([\s\S]*?)\*\/|(?:(?:^[ \t]*|[ \t])\/\/ .*\n?)+/gm)].map(([comment]) =>
    comment.replace(/`[^`]*`/g, '`').replace(/^[ \t]*(\/\/|\/?\*+\/?)/gm, ' '),
  )

/** The strings in TypeScript; templates without their values. */
const strings = (text: string): string[] =>
  [...text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '').matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, template = '']) => plain ?? template.replace(/\$\{[^}]*\}/g, '…'),
  )

/** Every text in a JSON document. */
const values = (text: string): string[] => {
  const found: string[] = []
  JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string') found.push(value)
    return value
  })
  return found
}

/** The titles of tests; templates without their values. */
const titles = (text: string): string[] =>
  [
    ...text.matchAll(
      /\b(?:test|describe|suite)(?:\.\w+)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g,
    ),
  ].map(([, single, double, template = '']) => single ?? double ?? template.replace(/\$\{[^}]*\}/g, '…'))

/** What is checked. */
const kinds: Readonly<Record<string, { files: string; texts: (content: string) => string[] }>> = {
  documents: { files: '{*.md,{docs,hosting,sdk,cli}/**/*.md}', texts: prose },
  comments: { files: '{server,sdk,cli,python,bench,demo,torture}/**/!(tidy-phrases.test).ts', texts: comments },
  'titles of tests': { files: '{server,sdk,cli,python,bench,demo,torture}/**/!(tidy-phrases).test.ts', texts: titles },
  openapi: { files: 'openapi.json', texts: values },
  pages: { files: 'server/src/site/words/en.json', texts: values },
  'the command and the SDK': { files: '{cli,sdk}/src/**/!(*generated*).ts', texts: strings },
  'the service': { files: 'server/src/**/!(*.test).ts', texts: strings },
}

/** Matches that may stay, as `file: match`, each for its reason. */
const allowed: Readonly<Record<string, string>> = {}

/** The phrases in a text, white space made one. */
function found(text: string): { match: string; better: string }[] {
  const flat = text.replace(/\s+/g, ' ')
  return phrases.flatMap(({ pattern, better }) => {
    const match = pattern.exec(flat)?.[0]
    return match === undefined ? [] : [{ match, better }]
  })
}

describe('no clumsy phrase appears', () => {
  const used = new Set<string>()
  for (const [kind, { files, texts }] of Object.entries(kinds)) {
    test(`in ${kind}`, async () => {
      const wrong: string[] = []
      let read = 0
      for await (const name of glob(files, { cwd: root })) {
        if (/(^|\/)(node_modules|dist|generated)\//.test(name)) continue
        read++
        for (const { match, better } of texts(await readFile(join(root, name), 'utf8')).flatMap(found)) {
          const place = `${name}: ${match}`
          if (place in allowed) used.add(place)
          else wrong.push(`${place} (better: ${better})`)
        }
      }
      assert.ok(read > 0, files)
      assert.deepEqual(wrong, [])
    })
  }
  test('every exception is still needed', () => {
    assert.deepEqual(
      Object.keys(allowed).filter((place) => !used.has(place)),
      [],
    )
  })
})

test('phrases are found in prose, comments, strings and values, across line ends too, but not in code', () => {
  const matches = (texts: readonly string[]) => texts.flatMap(found).map(({ match }) => match)
  assert.deepEqual(matches(prose('It is\nnone. `of which`\n\n```\nanew\n```\n[x](of-which "anew")\n')), ['is none'])
  assert.deepEqual(matches(prose('<!-- generated: x -->\nanew\n<!-- end of generated -->\n- begins\n  anew\n')), [
    'anew',
  ])
  assert.deepEqual(
    matches(comments('const a = "anew" // told\n// It stands\n// here.\n/** The rows of\n * which */\n')),
    ['stands here', 'of which'],
  )
  assert.deepEqual(matches(strings("refuse('It is not valid any more') // anew\n")), ['not valid any more'])
  assert.deepEqual(matches(values('{"a": ["nobody hears of it"]}')), ['hears of'])
})
