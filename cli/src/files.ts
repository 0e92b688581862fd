// Files: upload, files, files discard, download, and the faces of the profile.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attachment, OwnAttachment, Purpose } from '@kith/sdk/node'
import { called } from './called.ts'
import type { Command, Input } from './command.ts'
import { exit, usage } from './exit.ts'
import { idOf, short } from './ids.ts'
import { once, partId } from './intents.ts'
import { fileKind, ownFileKind } from './kinds.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { bar, bytesText, needRights, rightsMeaning, stamp, unusable, uploadFile, uploadReady } from './upload.ts'

const purposes: readonly Purpose[] = ['portfolio', 'order', 'avatar', 'character']

export const upload: Command = {
  name: 'upload',
  group: 'Files',
  summary: 'Upload files; until something holds them only you see them',
  args: 'PATH…',
  takes: [1, 50],
  options: {
    purpose: {
      type: 'string',
      value: 'NAME',
      completes: purposes,
      help: `what they are for: ${purposes.join(', ')} (default: portfolio)`,
    },
    'keep-name': { type: 'boolean', help: 'send the file names too, for your own lists; only you see them' },
  },
  details: `
The purpose is fixed for good. Avatar and character are JPEG or PNG; portfolio takes PDF and MP4 too, and PSD, SVG, EPS,
DWG, MP3 and WAV as working sources; order takes all these and ZIP. JPEG, PNG, PDF and the videos of a portfolio have up
to 20 MiB, the others up to 250 MiB. File names are not sent unless you ask for it.

What nothing holds is deleted after 24 hours. A file that the service rejected ends the command with 1. Repeated after a
crash or a lost answer, the command uploads nothing twice.`,
  async run(input) {
    const purpose = purposes.find((each) => each === (input.text('purpose') ?? 'portfolio'))
    if (!purpose) throw usage(`--purpose is one of ${purposes.join(', ')}`)
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

export const files: Command = {
  name: 'files',
  group: 'Files',
  summary: 'List your uploads that nothing holds, or what they use of your quotas',
  args: '',
  takes: [0, 0],
  options: {
    all: { type: 'boolean', help: 'also those that a post, an order or your profile holds' },
    storage: { type: 'boolean', help: 'show the use of the quotas instead' },
    limit: { type: 'string', value: 'N', help: 'how many of the newest (default: 50)' },
  },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const client = await identity(input)
    if (input.is('storage')) {
      const storage = await client.files.storage()
      return input.io.show({ storage }, () =>
        [
          `bytes    ${bytesText(storage.bytes.used)} of ${bytesText(storage.bytes.limit)}`,
          `files    ${storage.files.used} of ${storage.files.limit}`,
          `uploads  ${storage.upload_records.used} of ${storage.upload_records.limit}, ever`,
          `unbound  ${storage.unbound_ready.files} files, ${bytesText(storage.unbound_ready.bytes)}: ${called()} files discard ID`,
          `pending  ${storage.pending_uploads}; on the way out ${storage.cleanup_pending.files}`,
        ].join('\n'),
      )
    }
    const found: OwnAttachment[] = []
    for await (const file of client.files.list({ scope: input.is('all') ? 'all' : 'unbound', page_size: 50 })) {
      found.push(file)
      if (found.length >= limit) break
    }
    await input.io.show({ attachments: found }, () => found.map(row).join('\n') || noFiles(input))
  },
}

const noFiles = (input: Input): string =>
  input.is('all')
    ? `No files yet: ${again(input, 'upload PATH')} uploads one.`
    : `No files that nothing holds: ${again(input, 'files --all')} lists the others too.`

export const discard: Command = {
  name: 'files discard',
  group: 'Files',
  summary: 'Delete an upload of yours that was never used',
  args: 'FILE_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, ownFileKind, input.args[0]!)
    const client = await identity(input)
    const attachment = await client.files.discard(id)
    await input.io.show(
      { attachment },
      () => `${short(id)} is ${attachment.status === 'purged' ? 'gone' : 'on its way out'}.`,
    )
  },
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
  'video/mp4': 'mp4',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/vnd.adobe.photoshop': 'psd',
  'image/svg+xml': 'svg',
  'application/postscript': 'eps',
  'image/vnd.dwg': 'dwg',
  'application/zip': 'zip',
}

/** What a file of this type is called at its end. */
export const extensionOf = ({ mime_type }: Pick<Attachment, 'mime_type'>): string => extensions[mime_type] ?? 'bin'

export const download: Command = {
  name: 'download',
  group: 'Files',
  summary: 'Download a file that you may see, and check its digest',
  args: 'FILE_ID',
  takes: [1, 1],
  options: {
    output: { type: 'string', value: 'PATH', short: 'o', help: 'a file or folder (default: the id, in this folder)' },
    force: { type: 'boolean', help: 'replace a file that is there' },
  },
  details: `
Of your own files and those of your orders you get the original; of others' images and videos what the service made of
them. A download that broke off goes on at the next try. What others made is data: open it with care.`,
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

export const avatar = face('avatar', 'Set the picture beside your name, or remove it')
export const character = face('character', 'Set the picture of your character, or take it away')

function face(name: 'avatar' | 'character', summary: string): Command {
  return {
    name,
    group: 'Files',
    summary,
    args: '[PATH]',
    takes: [0, 1],
    options: {
      rights: { type: 'boolean', help: 'you confirm that you hold the rights to publish the picture' },
      clear: { type: 'boolean', help: 'show no such picture any more' },
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
        return input.io.show({ [name]: null }, () => `Your ${name} is taken away.`)
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
  const held = binding?.active ? `held by ${line(binding.kind)} ${line(binding.id)}` : ''
  const facts = [file.status.padEnd(8), file.file_format.padEnd(4), file.purpose.padEnd(9)].map(line)
  const name = 'original_name' in file && file.original_name !== null ? line(file.original_name) : ''
  return [short(file.id), ...facts, bytesText(file.size), held, name].join('  ').trimEnd()
}
