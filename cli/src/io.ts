// Standard input and output: results, notes for people, questions. Results wait until they are really written.
import { createInterface } from 'node:readline/promises'
import { Ended, exit, usage } from './exit.ts'
import { toJson } from './json.ts'

export interface Io {
  /** The caller wants JSON. */
  readonly json: boolean
  /** A person can be asked. */
  readonly interactive: boolean
  readonly columns: number
  /** A result, in the caller's form; it resolves when it is written. */
  show(data: object, human: () => string): Promise<void>
  /** One JSON value as a line, whatever the form. */
  line(data: object): Promise<void>
  text(text: string): Promise<void>
  /** A word for people on the error stream, so that results stay clean. */
  note(text: string): void
  /** A line that the next one replaces, at a terminal only; an empty one ends it. */
  status(text: string): void
  /** Ask a person; only where `interactive`. */
  ask(question: string): Promise<string>
  /** All of standard input. */
  input(): Promise<string>
}

export function createIo(json: boolean): Io {
  const { stdin, stdout, stderr } = process
  // A reader that went away is told by the callback of the write; without a listener it would also be thrown.
  stdout.on('error', () => {})
  stderr.on('error', () => {})
  const text = (out: string) =>
    new Promise<void>((resolve, reject) => {
      stdout.write(out.endsWith('\n') ? out : `${out}\n`, (error) =>
        error ? reject(new Ended(exit.closed, 'closed', 'nobody reads the output any more')) : resolve(),
      )
    })
  let standing = ''
  return {
    json,
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    columns: stdout.columns || 80,
    text,
    line: (data) => text(toJson(data)),
    show: (data, human) => text(json ? toJson(data) : human()),
    note: (out) => void stderr.write(`${out}\n`),
    status(out) {
      if (json || stderr.isTTY !== true || out === standing) return
      standing = out
      stderr.write(`\r\x1b[K${out}`)
    },
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr })
      try {
        return await new Promise<string>((resolve, reject) => {
          const stop = () => reject(new Ended(exit.interrupted, 'interrupted', 'interrupted'))
          lines.on('SIGINT', stop)
          lines.on('close', stop)
          lines.question(question).then((answer) => resolve(answer.trim()), reject)
        })
      } finally {
        lines.close()
      }
    },
    async input() {
      if (stdin.isTTY === true) return typed(stdin, stderr)
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
      } catch {
        throw usage('standard input is no UTF-8 text')
      }
    },
  }
}

/** What a person types, line by line. Standard input itself is not read to its end, for there may be questions after it. */
async function typed(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Promise<string> {
  // Before it is asked for: a Ctrl-D that the terminal itself takes would end standard input.
  const lines = createInterface({ input: stdin, output: stderr })
  stderr.write('Write the text; end with Ctrl-D on a line of its own.\n')
  const rows: string[] = []
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (row) => rows.push(row))
    lines.on('close', resolve)
    lines.on('SIGINT', () => {
      reject(new Ended(exit.interrupted, 'interrupted', 'interrupted'))
      lines.close()
    })
  })
  return rows.join('\n')
}
