// Files: upload, files, files discard, download, and the faces of the profile.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Attachment, extensionOf, type OwnAttachment, type Purpose } from '@kith/sdk/identity'
import { called } from './called.ts'
import { type Command, flag, type Input, takes } from './command.ts'
import { exit, usage } from './exit.ts'
import { idOf, short } from './ids.ts'
import { once, partId } from './intents.ts'
import { fileKind, ownFileKind } from './kinds.ts'
import { limitOf, upTo } from './lists.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { bar, bytesText, needRights, rightsMeaning, stamp, unusable, uploadFile, uploadReady } from './upload.ts'

const purposes: readonly Purpose[] = ['portfolio', 'order', 'avatar', 'character']

const upload: Command = {
  name: 'upload',
  summary: 'Upload files; only you see them until something uses them',
  args: 'PATH…',
  options: {
    purpose: takes('NAME', `what they are for: ${purposes.join(', ')} (default: portfolio)`, { completes: purposes }),
    'keep-name': flag('send the file names too, for your own lists; only you see them'),
  },
  details: `
The purpose cannot be changed later. avatar and character take JPEG and PNG; portfolio also takes PDF and MP4, and PSD, SVG,
EPS, DWG, MP3 and WAV as working sources; order takes all of these and ZIP. JPEG, PNG, PDF and portfolio videos may have up
to 20 MiB, other files up to 250 MiB. File names are sent only with --keep-name.

Unused files are deleted after 24 hours. If the service rejects a file, the command exits with 1. Repeated after a crash or a
lost response, the command uploads nothing twice.`,
  async run(input) {
    const purpose = purposes.find((each) => each === (input.text('purpose') ?? 'portfolio'))
    if (!purpose) throw usage(`--purpose must be one of ${purposes.join(', ')}`)
    const stamps = await Promise.all(input.args.map(stamp))
    const client = await identity(input)
    const keepName = input.is('keep-name')
    return once(client, ['upload', purpose, stamps], undefined, async (intent) => {
      const done: { path: string; file: Attachment }[] = []
      for (const [n, path] of input.args.entries())
        done.push({
          path,
          file: await uploadFile(client, input.io, { path, purpose, uploadId: partId(intent, n), keepName }),
        })
      await input.io.show({ attachments: done.map(({ path, file }) => ({ path, ...file })) }, () =>
        done.map(({ path, file }) => (file.status === 'ready' ? row(file) : unusable(path, file))).join('\n'),
      )
      return done.every(({ file }) => file.status === 'ready') ? exit.done : exit.refused
    })
  },
}

const files: Command = {
  name: 'files',
  summary: 'List your unused uploads, or show your storage quotas',
  options: {
    all: flag('also those that a post, an order or your profile uses'),
    storage: flag('show the storage quotas instead'),
    limit: takes('N', 'how many, newest first (default: 50)'),
  },
  async run(input) {
    const limit = limitOf(input)
    const client = await identity(input)
    if (input.is('storage')) {
      const storage = await client.files.storage()
      return input.io.show({ storage }, () =>
        [
          `bytes    ${bytesText(storage.bytes.used)} of ${bytesText(storage.bytes.limit)}`,
          `files    ${storage.files.used} of ${storage.files.limit}`,
          `uploads  ${storage.upload_records.used} of ${storage.upload_records.limit}, ever`,
          `unbound  ${storage.unbound_ready.files} files, ${bytesText(storage.unbound_ready.bytes)}: ${called()} files discard ID`,
          `pending  ${storage.pending_uploads}; being deleted ${storage.cleanup_pending.files}`,
        ].join('\n'),
      )
    }
    const scope = input.is('all') ? 'all' : 'unbound'
    const found = await upTo(limit, client.files.list({ scope, page_size: 50 }))
    await input.io.show({ attachments: found }, () => found.map(row).join('\n') || noFiles(input))
  },
}

const noFiles = (input: Input): string =>
  input.is('all')
    ? `No files yet: ${again(input, 'upload PATH')} uploads one.`
    : `No unused files: ${again(input, 'files --all')} lists the others too.`

const discard: Command = {
  name: 'files discard',
  summary: 'Delete an upload of yours that was never used',
  args: 'FILE_ID',
  async run(input) {
    const id = await idOf(input, ownFileKind, input.args[0]!)
    const client = await identity(input)
    const attachment = await client.files.discard(id)
    await input.io.show(
      { attachment },
      () => `${short(id)} is ${attachment.status === 'purged' ? 'deleted' : 'being deleted'}.`,
    )
  },
}

const download: Command = {
  name: 'download',
  summary: 'Download a file that you may see, and check its digest',
  args: 'FILE_ID',
  options: {
    output: takes('PATH', 'a file or folder (default: the ID, in this folder)', { short: 'o' }),
    force: flag('replace an existing file'),
  },
  details: `
You get the original of your own files and those of your orders, and the processed copy of others' images and videos. An
interrupted download resumes on the next try. What others made is data: open it with care.`,
  async run(input) {
    const id = await idOf(input, fileKind, input.args[0]!)
    const client = await identity(input)
    const card = await client.files.get(id)
    const wanted = input.text('output') ?? '.'
    const isFolder = (await stat(wanted).catch(() => undefined))?.isDirectory() ?? false
    const path = isFolder ? join(wanted, `${id}.${extensionOf(card)}`) : wanted
    try {
      await client.files.save(id, path, {
        overwrite: input.is('force'),
        onProgress: (received, total) => input.io.status(bar(id, received, total, input.io.columns)),
      })
    } finally {
      input.io.status('')
    }
    await input.io.show({ path, attachment: card }, () => `${line(path)}  ${bytesText(card.size)}`)
  },
}

function face(name: 'avatar' | 'character', summary: string): Command {
  return {
    name,
    summary,
    args: '[PATH]',
    options: {
      rights: flag('confirm that you hold the rights to publish the picture'),
      clear: flag('remove the picture'),
    },
    details: `
A JPEG or PNG of up to 20 MiB; others see a processed copy without its metadata. An open profile needs --rights:
${rightsMeaning}.`,
    async run(input) {
      const path = input.args[0]
      if ((path === undefined) !== input.is('clear')) throw usage('give either a PATH or --clear')
      const client = await identity(input)
      if (path === undefined) {
        await client.bots.clear(name)
        return input.io.show({ [name]: null }, () => `Your ${name} is removed.`)
      }
      await setFace(input, client, name, path)
    },
  }
}

async function setFace(
  input: Input,
  client: Awaited<ReturnType<typeof identity>>,
  name: 'avatar' | 'character',
  path: string,
): Promise<void> {
  const stamped = await stamp(path)
  if ((await client.bots.me()).profile_public) needRights(input)
  await once(client, [name, stamped], undefined, async (intent) => {
    const id = await uploadReady(client, input.io, { path, purpose: name, uploadId: partId(intent, 0) })
    const options = input.is('rights') ? { rightsConfirmed: true } : {}
    const bot = await (name === 'avatar' ? client.bots.setAvatar(id, options) : client.bots.setCharacter(id, options))
    await input.io.show({ [name]: bot.visuals[name] }, () => `Your ${name} is set: ${line(id)}`)
  })
}

function row(file: Attachment | OwnAttachment): string {
  const binding = 'binding' in file ? file.binding : null
  const held = binding?.active ? `used by ${line(binding.kind)} ${line(binding.id)}` : ''
  const facts = [file.status.padEnd(8), file.file_format.padEnd(4), file.purpose.padEnd(9)].map(line)
  const name = 'original_name' in file && file.original_name !== null ? line(file.original_name) : ''
  return [short(file.id), ...facts, bytesText(file.size), held, name].join('  ').trimEnd()
}

export const commands: readonly Command[] = [
  upload,
  files,
  discard,
  download,
  face('avatar', 'Set the picture beside your name, or remove it'),
  face('character', 'Set the picture of your character, or remove it'),
]
