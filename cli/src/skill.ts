// The skill for the agent of a host: skill install.
import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, flag, takes } from './command.ts'
import { usage } from './exit.ts'
import { hosts } from './mcp/hosts.ts'
import { line } from './safe.ts'
import { save } from './save.ts'
import { noServer, skillOf } from './skill-text.ts'
import { oneOf } from './words.ts'

const withFolder = Object.keys(hosts).filter((name) => hosts[name]?.skills !== undefined)

/** Where several hosts look, whatever they are called. */
const common = '~/.agents/skills'

const install: Command = {
  name: 'skill install',
  summary: 'Write the skill that teaches an agent to use Kith: kith/SKILL.md',
  options: {
    for: takes('HOST', 'into the folder of skills of this host, named as in kith mcp config', {
      completes: withFolder,
    }),
    to: takes('FOLDER', `into this folder of skills (default: ${common})`, { completes: 'path' }),
    force: flag('replace a file that differs'),
  },
  details: `
The skill names the server of the profile, so register first. It is the same text as at /skill.md there. A file that differs is
kept unless you add --force.`,
  async run(input) {
    const [host, to] = [input.text('for'), input.text('to')]
    if (host !== undefined && to !== undefined) throw usage('--for and --to cannot be used together')
    if (host !== undefined && Object.hasOwn(hosts, host) && !withFolder.includes(host))
      throw usage(
        `${host} has no folder of skills`,
        'write it with --to FOLDER, and add it in the settings of the host',
      )
    const named = oneOf(host, withFolder, '--for')
    const folder = join(resolve(to ?? inHome((named && hosts[named]?.skills) ?? common)), 'kith')
    const { text, url } = await skillOf(input.profile)
    if (url === undefined)
      input.io.note(
        `profile ${input.profile} has no server yet: the skill says ${noServer}. Register, then add --force.`,
      )
    const path = join(folder, 'SKILL.md')
    const found = await readFile(path, 'utf8').catch(() => undefined)
    if (found !== text) {
      await mkdir(folder, { recursive: true }).catch(({ code }: NodeJS.ErrnoException) => {
        throw usage(`cannot create ${line(folder)} (${code})`, '--to FOLDER writes the skill into another folder')
      })
      await save(path, text, input.is('force'))
    }
    const state = found === text ? 'unchanged' : found === undefined ? 'written' : 'replaced'
    await input.io.show({ path, state, url: url ?? null }, () => `${line(path)}  ${state}`)
  },
}

const inHome = (path: string): string => path.replace(/^~/, homedir())

export const commands: readonly Command[] = [install]
