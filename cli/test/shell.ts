// A shell at a terminal, into which blocks of a text are pasted as a person does.
import assert from 'node:assert/strict'
import { type Program, startProgram } from '../../server/test/launch.ts'

export interface Shell extends Program {
  /** Pastes lines as a person does, all at once. */
  paste(lines: string): void
  /** Presses Ctrl-C until this is said: a program that is just about to read a line may notice it with the next key alone. */
  interrupt(says: RegExp): Promise<void>
  /** What it printed since the last paste. */
  since(): string
  /** Pastes lines, waits until the shell is back from them, and answers what they printed; none may have failed. */
  run(lines: string): Promise<string>
}

export async function openShell(cwd: string, env: Record<string, string>): Promise<Shell> {
  const bash = startProgram(['script', '-qec', 'bash --norc --noprofile --noediting -i', '/dev/null'], {
    env: { ...env, TERM: 'dumb' },
    cwd,
    input: true,
  })
  let seen = 0
  let runs = 0
  // Under load the command says that it waits, in a line that it then erases.
  const since = () =>
    bash
      .output()
      .slice(seen)
      .replaceAll(/[^\n]*\x1b\[K/g, '')
      .replaceAll('\r', '')
  const paste = (lines: string) => {
    seen = bash.output().length
    bash.input.write(lines)
  }
  const interrupt = async (says: RegExp) => {
    const again = setInterval(() => bash.input.write('\x03'), 1_000)
    try {
      paste('\x03')
      await bash.says(says)
    } finally {
      clearInterval(again)
    }
  }
  const run = async (lines: string) => {
    const mark = `ran ${++runs}.`
    // A question would take this line as its answer.
    paste(`${lines}echo ran '${runs}'.\n`)
    await bash.says(new RegExp(mark))
    assert.doesNotMatch(since(), /^failed: /m)
    return since()
  }
  bash.input.write(`stty -echo columns 200; PS1=; trap 'echo "failed: $BASH_COMMAND"' ERR; echo is' 'ready\n`)
  await bash.says(/is ready/)
  return { ...bash, paste, interrupt, since, run }
}
