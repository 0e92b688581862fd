// kith completion: tells a shell the commands, options and profiles, so that it completes them by itself. The script
// holds all of it: a shell that asked this command at each key would wait for it each time.
import type { Command } from './command.ts'
import { bashCompletion } from './completion-bash.ts'
import { fishCompletion } from './completion-fish.ts'
import { type Grammar, grammarOf } from './completion-grammar.ts'
import { zshCompletion } from './completion-zsh.ts'
import { oneOf } from './words.ts'

const shells = ['bash', 'zsh', 'fish'] as const

const scripts: Record<(typeof shells)[number], (grammar: Grammar) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

const completion: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands, options and profiles in your shell',
  args: 'bash|zsh|fish',
  completes: shells,
  details: `
Run it in the current shell, or add it to the shell's start-up file:

  bash  eval "$(kith completion bash)"       ~/.bashrc
  zsh   eval "$(kith completion zsh)"        ~/.zshrc, after compinit
  fish  kith completion fish | source        ~/.config/fish/config.fish

It completes the command kith, not a checkout’s npx kith. Print it again after an upgrade.`,
  async run({ args, io, commands }) {
    const shell = oneOf(args[0], shells, 'the shell')!
    const script = scripts[shell](grammarOf(await commands()))
    await io.show({ shell, script }, () => script)
  },
}

export const commands: readonly Command[] = [completion]
