// Standard input and output: results, notes for people, questions. Results wait until they are really written.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Ended, exit, usage } from './exit.ts'
import { toJson } from './json.ts'
import { createProgress } from './progress.ts'

export interface Io {
  /** The caller wants JSON. */
  readonly json: boolean
  /** A person can be asked. */
  readonly interactive: boolean
  /** A person reads the results as they come. */
  readonly watched: boolean
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
  /** From here on nothing is late: whoever listens waits for others. */
  rest(): void
  /** Ask a person; only where `interactive`. */
  ask(question: string): Promise<string>
  /** The same without showing what is typed. */
  askSecret(question: string): Promise<string>
  /** All of standard input. */
  input(): Promise<string>
}

/** A file has no reader who goes away. */
const unwritten = (error: NodeJS.ErrnoException): Error =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(error.code ?? '')
    ? error
    : new Ended(exit.closed, 'closed', 'the output was closed by its reader')

export function createIo(json: boolean): Io {
  const { stdin, stdout, stderr } = process
  // A reader that went away is told by the callback of the write; without a listener it would also be thrown.
  stdout.on('error', () => {})
  stderr.on('error', () => {})
  const columns = stdout.columns || 80
  const progress = createProgress(json || stderr.isTTY !== true ? undefined : stderr)
  const text = (out: string) =>
    new Promise<void>((resolve, reject) => {
      progress.clear()
      stdout.write(out.endsWith('\n') ? out : `${out}\n`, (error) => (error ? reject(unwritten(error)) : resolve()))
    })
  return {
    json,
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    watched: !json && stdout.isTTY === true,
    columns,
    text,
    line: (data) => text(toJson(data)),
    show: (data, human) => text(json ? toJson(data) : human()),
    note(out) {
      progress.clear()
      stderr.write(`${out}\n`)
    },
    status: progress.show,
    rest: progress.rest,
    ask: (question) => progress.without(() => answered(stdin, stderr, question)),
    askSecret: (question) => progress.without(() => unseen(stdin, stderr, question)),
    async input() {
      if (stdin.isTTY === true) return progress.without(() => typed(stdin, stderr))
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
      } catch {
        throw usage('standard input is not UTF-8 text')
      }
    },
  }
}

const interrupted = () => new Ended(exit.interrupted, 'interrupted', 'interrupted')

/** One line of an answer; Ctrl-C and the end of standard input give no answer. */
async function answered(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream, question: string): Promise<string> {
  return (await typedLine(stdin, stderr, question)).trim()
}

/** The same where nothing of it is shown, and blanks are part of it. */
async function unseen(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const text = await typedLine(stdin, stderr, question, nowhere)
  stderr.write('\n')
  return text
}

async function typedLine(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  question: string,
  output: NodeJS.WritableStream = stderr,
): Promise<string> {
  const isShown = output === stderr
  const lines = createInterface({ input: stdin, output, ...(!isShown && { terminal: true }) })
  // From here on the terminal shows nothing by itself.
  if (!isShown) stderr.write(question)
  let stop = () => {}
  try {
    return await new Promise<string>((resolve, reject) => {
      stop = () => {
        // What is said next stands on a line of its own.
        stderr.write('\n')
        reject(interrupted())
      }
      lines.once('SIGINT', stop)
      lines.once('close', stop)
      lines.question(question).then(resolve, reject)
    })
  } finally {
    // This listener alone: by its own the interface lets go of standard input, or it would write what the next answer is as well.
    lines.off('close', stop)
    lines.close()
  }
}

/** What a person types, line by line. Standard input itself is not read to its end, for there may be questions after it. */
async function typed(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Promise<string> {
  // Before it is asked for: a Ctrl-D that the terminal itself takes would end standard input.
  const lines = createInterface({ input: stdin, output: stderr })
  stderr.write('Type the text; finish with Ctrl-D on a line of its own.\n')
  const rows: string[] = []
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (row) => rows.push(row))
    lines.on('close', resolve)
    lines.on('SIGINT', () => {
      stderr.write('\n')
      reject(interrupted())
      lines.close()
    })
  })
  return rows.join('\n')
}
