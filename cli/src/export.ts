// Everything of an agent's own as files, and the check of such a folder. docs/export.md.
import { join } from 'node:path'
import {
  checkExport,
  exportTo,
  type KeyFiles,
  KithExportError,
  keyFiles,
  keysName,
  ownSource,
  sealKeys,
} from '@kith/sdk/export'
import type { FolderStore } from '@kith/sdk/identity'
import { quotedWord } from './called.ts'
import { type Command, flag, type Input } from './command.ts'
import { Ended, exit, usage } from './exit.ts'
import type { Io } from './io.ts'
import { again, exists, identity } from './profile.ts'
import { line } from './safe.ts'
import { bar, bytesText } from './upload.ts'

const shortest = 12

const exportAll: Command = {
  name: 'export',
  summary: 'Save everything of yours to a folder, or check such a folder',
  args: 'FOLDER',
  completes: 'path',
  options: {
    'with-keys': flag('also the private key and the token, encrypted under a passphrase that you type'),
    check: flag('only compare the folder with its manifest'),
  },
  details: `
Everything that the service has of you, with your messages as they are stored and opened, as JSON Lines and files. FOLDER is new
or empty, and only you can read it. After any interruption repeat the command: it continues, and loads nothing twice. A complete
export never changes; for a newer one, name another folder.

--check needs no profile. It exits with 1 if a file is missing or was changed, and names files that the manifest does not list.
What others wrote is data: open it with care.`,
  async run(input) {
    const [folder] = input.args as [string]
    try {
      if (input.is('check')) return await check(input, folder)
      await make(input, folder)
      return exit.done
    } catch (error) {
      throw error instanceof KithExportError ? ended(error, input, folder) : error
    }
  },
}

function ended({ code, message }: KithExportError, input: Input, folder: string): Ended {
  const repeat = again(input, `export ${quotedWord(folder)}`)
  if (code === 'disk') return new Ended(exit.fault, 'disk', message, `once that is mended: ${repeat} continues`)
  if (code === 'changing') return new Ended(exit.unknown, 'changing', message, repeat)
  return new Ended(code === 'folder' ? exit.usage : exit.refused, code, message)
}

async function check(input: Input, folder: string): Promise<number> {
  if (input.is('with-keys')) throw usage('--check and --with-keys cannot be used together')
  const found = await checkExport(folder)
  const { isWhole, files, bytes, missing, changed, unlisted } = found
  await input.io.show({ whole: isWhole, files, bytes, missing, changed, unlisted }, () =>
    [
      ...missing.map((path) => `missing   ${line(path)}`),
      ...changed.map((path) => `changed   ${line(path)}`),
      ...unlisted.map((path) => `unlisted  ${line(path)}`),
      isWhole
        ? `Whole: ${files} files, ${bytesText(bytes)}.`
        : `Damaged: ${missing.length} missing, ${changed.length} changed of ${files} files.`,
    ].join('\n'),
  )
  return isWhole ? exit.done : exit.refused
}

async function make(input: Input, folder: string): Promise<void> {
  const { io } = input
  const hasKeys = () => exists(join(folder, keysName))
  const needsKeys = input.is('with-keys') && !(await hasKeys())
  if (needsKeys && !io.interactive)
    throw usage('--with-keys asks for a passphrase at a terminal', 'without it the export has no keys')
  const client = await identity(input)
  let passphrase: string | undefined
  const source = ownSource(client, {
    waits: (seconds) => io.status(`the service asks to wait ${seconds} seconds`),
  })
  const made = await exportTo(folder, source, {
    told: (what, received, size) =>
      io.status(
        size === undefined || received === undefined ? `exporting ${what}` : bar(what, received, size, io.columns),
      ),
    begin: async () => {
      if (needsKeys) passphrase = await asked(io)
    },
    // At the end: a token may be replaced while it is used.
    last: async () =>
      passphrase === undefined ? undefined : [keysName, await sealKeys(await keysOf(client.folder), passphrase)],
  })
  io.status('')
  if (made.was && needsKeys) throw usage('this export is complete, without keys', 'name another folder')
  const { path, files, bytes, problems, was } = made
  const keys = await hasKeys()
  await io.show({ folder: path, complete: true, was_complete: was, files, bytes, problems, with_keys: keys }, () =>
    [
      `${was ? 'Was complete already' : 'Complete'}: ${line(path)}  ${files} files, ${bytesText(bytes)}`,
      ...(problems > 0 ? [`${problems} things could not be exported: see problems.jsonl`] : []),
      ...(keys ? [`${keysName} opens with your passphrase alone: without it nobody can help.`] : []),
      `To check it: ${again(input, `export --check ${quotedWord(folder)}`)}`,
    ].join('\n'),
  )
}

const keysOf = async (folder: FolderStore): Promise<KeyFiles> =>
  Object.fromEntries(
    await Promise.all(keyFiles.map(async (name) => [name, await folder.read(name)] as const)).then((all) =>
      all.filter(([, text]) => text !== undefined),
    ),
  )

/** A passphrase that was typed twice; nothing of it is shown or kept. */
async function asked(io: Io): Promise<string> {
  for (;;) {
    const first = await io.askSecret(`Passphrase for the keys, at least ${shortest} characters: `)
    if ([...first].length < shortest) io.note(`That has ${[...first].length} characters.`)
    else if ((await io.askSecret('The same again: ')) === first) return first
    else io.note('They differ.')
  }
}

export const commands: readonly Command[] = [exportAll]
