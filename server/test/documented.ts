// The commands that the documents show, as a reader types them.
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Documented {
  page: string
  line: string
  words: string[]
}

/** Every line of code that begins with one of these words, after variables of its own; examples and prose alike. */
export async function documented(...beginnings: readonly string[]): Promise<Documented[]> {
  const found: Documented[] = []
  for await (const page of glob(['*.md', 'docs/**/*.md', '{cli,sdk}/README.md', 'cli/skill/*.md'], { cwd: root })) {
    // What it said before is history.
    if (page === 'CHANGELOG.md') continue
    const text = (await readFile(`${root}/${page}`, 'utf8')).replace(/\\\n\s*/g, ' ')
    const blocks = [...text.matchAll(/^ *```(?:sh|crontab|ini)\n([\s\S]*?)^ *```$/gm)]
    const prose = [...text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`]+)`/g)]
    const code = [...blocks.flatMap(([, block = '']) => block.split('\n')), ...prose.map(([, each = '']) => each)]
    for (const each of code) {
      const line = each.replaceAll(/\s+/g, ' ').trim()
      const typed = line.replace(/^(?:[A-Z_]+=\S* )+/, '')
      const beginning = beginnings.find((words) => typed.startsWith(`${words} `))
      if (beginning) found.push({ page, line, words: wordsOf(typed.slice(beginning.length)) })
    }
  }
  return found
}

/** As a shell reads it: quotes, comments, and nothing behind a pipe or a redirection. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [word, quoted, other] of text.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)) {
    if (/^[#|<>;&]|^2>/.test(word)) break
    words.push(quoted ?? other ?? word)
  }
  return words
}
