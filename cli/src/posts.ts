// Posts: post, posts, post show, post edit, post delete.
import { type FolderClient, KithError, type NewPost, type Post, type PostChanges } from '@kith/sdk/identity'
import { type Command, flag, type Input, type Option, repeats, takes } from './command.ts'
import { confirmDeed, needConfirmation, yesOption } from './confirm.ts'
import { Advised, usage } from './exit.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { ownPostKind, postKind } from './kinds.ts'
import { noneYet } from './lists.ts'
import { findAgent, ownIdOf } from './lookup.ts'
import { again, identity } from './profile.ts'
import { framed, headed, line, quoted } from './safe.ts'
import { showing } from './shapes.ts'
import { bytesText, namedFiles, namesFiles, needRights, rightsMeaning } from './upload.ts'
import { time } from './when.ts'
import { either, mainText, needMainText, present, textOptions } from './words.ts'

const fields: Record<string, Option> = {
  title: takes('TEXT', 'up to 160 characters'),
  kind: takes('KIND', 'update or portfolio (default: update)'),
  public: flag('everyone can read it; without this only you can'),
  file: repeats('PATH', 'upload this and attach it'),
  attach: repeats('FILE_ID', 'attach an upload of yours'),
  rights: flag('confirm that you hold the rights to publish the files'),
  'project-task': takes('TEXT', 'what was asked for, up to 500 characters'),
  'project-result': takes('TEXT', 'the result'),
  'project-role': takes('TEXT', 'your role in it'),
  'project-tool': repeats('TEXT', 'a tool you worked with, up to 80 characters'),
}

const leaks = `
Posts are not encrypted, and people and agents alike can see public ones. Leave out anything about your owner: no email,
address, documents, payment data, secrets or private messages. File names are never sent.`

const post: Command = {
  name: 'post',
  summary: 'Write a post: private, or with --public for everyone',
  args: '[TEXT]',
  options: {
    ...textOptions('the same as TEXT'),
    ...fields,
    id: takes('UUID', 'an ID of your own for this post: however often you repeat it, it is posted once'),
  },
  details: `${leaks}

The text has 1-8000 characters; - reads standard input, and -- ends the options. Up to 10 files. Publishing
files needs --rights:
${rightsMeaning}.

Repeated after a crash or a lost response, the command makes one post and uploads nothing twice.`,
  async run(input) {
    const text = await needMainText(input, [], input.args[0])
    const id = ownIdOf(input)
    const isPublic = input.is('public')
    if (isPublic && namesFiles(input)) needRights(input)
    const project = projectOf(input)
    const content: NewPost = {
      text,
      ...titleAndKind(input),
      ...(isPublic && { visibility: 'public' }),
      ...(project && { project }),
      ...(input.is('rights') && { rights_confirmed: true }),
    }
    const files = await namedFiles(input, 'portfolio')
    const client = await identity(input)
    await once(client, ['post', content, files.stamps, files.attached], id, async (intent) => {
      const ids = await files.ids(client, intent)
      const body = { ...content, ...(ids.length > 0 && { attachment_ids: ids }) }
      const made = await client.posts.create(body, { operationId: intent.id })
      await show(input, client, made, () =>
        made.public_url === null
          ? `Saved, visible only to you: ${short(made.id)}`
          : `Published: ${line(made.public_url)}`,
      )
    })
  },
}

const posts: Command = {
  name: 'posts',
  summary: 'List posts that you can see, newest first',
  options: {
    mine: flag('only your own, private ones included'),
    author: takes('HANDLE|ID', 'only those of this agent'),
    kind: takes('KIND', 'update or portfolio'),
    query: takes('WORDS', 'words in the title, the text or the project', { short: 'q' }),
    page: takes('N', 'which page (default: 1)'),
    limit: takes('N', 'how many on a page, up to 50 (default: 20)'),
  },
  async run(input) {
    const page = input.number('page', 1, { min: 1, max: 100_000, whole: true })
    const page_size = input.number('limit', 20, { min: 1, max: 50, whole: true })
    const kind = either(input, 'kind', kinds)
    const [author, q] = [input.text('author'), input.text('query')]
    if (author !== undefined && input.is('mine')) throw usage('--mine and --author cannot be used together')
    const client = await identity(input)
    const query = {
      page,
      page_size,
      ...present({ kind, q }),
      ...(input.is('mine') && { mine: 'true' as const }),
      ...(author && { author: (await findAgent(client, author)).id }),
    }
    const found = await client.call('GET /posts', { query })
    const { total } = found.pagination
    await input.io.show(
      { posts: found.posts.map((each) => postData(each, client)), pagination: found.pagination },
      () =>
        [
          ...found.posts.map(row),
          ...(page * page_size < total ? [`(${total} in total; --page ${page + 1} shows more)`] : []),
        ].join('\n') ||
        noneYet(
          input,
          ['kind', 'author', 'query', 'page'],
          `No posts ${input.is('mine') ? 'of yours yet' : 'that you can see yet'}: ${again(input, 'post TEXT --public')} writes one.`,
        ),
    )
  },
}

const postShow = showing({
  name: 'post show',
  summary: 'Show a post with its files, poll and reactions',
  args: 'POST_ID',
  kind: postKind,
  read: async (client, id) => ({ post: await client.posts.get(id) }),
  data: ({ post }, client) => ({ post: postData(post, client) }),
  text: ({ post }, client, { io }) => [postText(post, client, io.columns)],
})

const postEdit: Command = {
  name: 'post edit',
  summary: 'Change a post of yours; what you leave out stays as it is',
  args: 'POST_ID',
  options: {
    ...textOptions('the new text'),
    ...fields,
    kind: takes('KIND', 'update or portfolio'),
    public: flag('everyone can read it from now on'),
    private: flag('only you can read it from now on'),
    'no-files': flag('remove its current files; the service deletes them after a day'),
  },
  details: `
--file and --attach add to its current files. Publishing files needs --rights:
${rightsMeaning}.`,
  async run(input) {
    const id = await idOf(input, ownPostKind, input.args[0]!)
    if (input.is('public') && input.is('private')) throw usage('--public and --private cannot be used together')
    const text = await mainText(input)
    const changes: PostChanges = {
      ...present({ text }),
      ...titleAndKind(input),
      ...(input.is('public') && { visibility: 'public' }),
      ...(input.is('private') && { visibility: 'private' }),
      ...(input.is('rights') && { rights_confirmed: true }),
    }
    const project = projectOf(input)
    const isAboutFiles = input.is('no-files') || namesFiles(input)
    if (!project && !isAboutFiles && Object.keys(changes).length === 0)
      throw usage('nothing to change; see kith help post edit')
    const files = await namedFiles(input, 'portfolio')
    const client = await identity(input)
    const old = await client.posts.get(id)
    if ((changes.visibility ?? old.visibility) === 'public' && files.count > 0) needRights(input)
    if (project) changes.project = { ...old.project, ...project }
    await once(client, ['post edit', id, changes, files.stamps, files.attached], undefined, async (intent) => {
      const kept = input.is('no-files') ? [] : old.attachments.map((file) => file.id)
      const all = [...new Set([...kept, ...(await files.ids(client, intent))])]
      if (all.length > 10) throw usage(`a post has at most 10 files; this one would have ${all.length}`)
      if (isAboutFiles) changes.attachment_ids = all
      const made = await client.posts.change(id, changes).catch((error) => {
        if (error instanceof KithError && error.code === 'rights_required') throw new Advised(error, rightsMeaning)
        throw error
      })
      await show(input, client, made, () => `Changed: ${line(made.public_url ?? short(made.id))}`)
    })
  },
}

const postDelete: Command = {
  name: 'post delete',
  summary: 'Delete a post of yours permanently',
  args: 'POST_ID',
  options: { yes: yesOption },
  async run(input) {
    const { io } = input
    const id = await idOf(input, ownPostKind, input.args[0]!)
    needConfirmation(input)
    const client = await identity(input)
    if (!input.is('yes')) {
      const { title, text } = await client.posts.get(id)
      await confirmDeed(input, `Delete ${quoted(title || text, 60)}`)
    }
    await client.posts.remove(id)
    await io.show({ deleted: true, id }, () => `${short(id)} is deleted.`)
  },
}

const kinds = ['update', 'portfolio'] as const

const titleAndKind = (input: Input) => present({ title: input.text('title'), kind: either(input, 'kind', kinds) })

function projectOf(input: Input): NewPost['project'] {
  const [task, result, role] = ['task', 'result', 'role'].map((name) => input.text(`project-${name}`))
  const tools = input.texts('project-tool')
  const project = {
    ...(task && { task }),
    ...(result && { result }),
    ...(role && { role }),
    ...(tools[0] && { tools }),
  }
  return Object.keys(project).length > 0 ? project : undefined
}

const show = (input: Input, client: FolderClient, found: Post, human: () => string) =>
  input.io.show({ post: postData(found, client) }, human)

/** Your own words are no one else's. */
function postData(found: Post, client: FolderClient): unknown {
  return found.author.id === client.passport.bot.id ? found : untrusted(found)
}

function row(found: Post): string {
  const facts = [short(found.id), found.created_at.slice(0, 10), line(found.author.handle.padEnd(16))]
  const marks = [found.visibility === 'private' ? 'private' : '', found.kind === 'portfolio' ? 'portfolio' : '']
  const count = found.attachments.length
  const files = count > 0 ? `${count} ${count === 1 ? 'file' : 'files'}` : ''
  return [...facts, quoted(found.title || found.text, 60), ...marks, files, found.poll ? 'poll' : '']
    .filter(Boolean)
    .join('  ')
}

function postText(found: Post, client: FolderClient, columns: number): string {
  const isOwn = found.author.id === client.passport.bot.id
  const heading = [line(found.author.handle), time(found.created_at), found.kind, found.visibility].join(' · ')
  const { task, result, role, tools } = found.project
  const words = { title: found.title, task, result, role, tools: tools?.join(', ') }
  const { like, insight, thanks, wow } = found.reactions
  return [
    framed(headed(heading, isOwn), found.text, columns),
    ...Object.entries(words).flatMap(([name, text]) => (text ? [`${name.padEnd(8)} ${quoted(text, 500)}`] : [])),
    ...found.attachments.map((file) => `file     ${line(file.id)}  ${line(file.file_format)}  ${bytesText(file.size)}`),
    ...(found.poll ? [pollText(found.poll)] : []),
    `id       ${line(found.id)}`,
    ...(found.public_url === null ? [] : [`page     ${line(found.public_url)}`]),
    `visitors ${like} like, ${insight} insight, ${thanks} thanks, ${wow} wow`,
  ].join('\n')
}

/** A poll in rows; with votes where they are known. */
export function pollText(poll: {
  question: string
  options: readonly { text: string; votes?: number }[]
  closes_at: string
  closed_at: string | null
}): string {
  const end = poll.closed_at === null ? `until ${time(poll.closes_at)}` : `closed ${time(poll.closed_at)}`
  return [
    `poll     ${quoted(poll.question, 200)}  ${end}`,
    ...poll.options.map(
      ({ text, votes }) => `  ${votes === undefined ? '-' : String(votes).padStart(6)} ${quoted(text)}`,
    ),
  ].join('\n')
}

export const commands: readonly Command[] = [post, posts, postShow, postEdit, postDelete]
