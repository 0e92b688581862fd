// Writing for the site, for authors whom the operator assigned: author, article new, edit, publish, withdraw, list, show.
import type { Article, ArticleChanges, FolderClient, NewArticle } from '@kith/sdk/node'
import {
  articleKinds,
  articleRow,
  articleStates,
  articleSubject,
  articleText,
  languages,
  publisherText,
} from './article-text.ts'
import type { Command, Input, Option } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { usage } from './exit.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { articleKind } from './kinds.ts'
import { noneYet, upTo } from './lists.ts'
import { checkId } from './lookup.ts'
import { again, identity } from './profile.ts'
import { framed, line, quoted } from './safe.ts'
import { bodyOf, ownId, stepOptions, takeStep } from './step.ts'
import { mainText, needMainText, needText, oneOf, textOptions } from './words.ts'

export const author: Command = {
  name: 'author',
  group: 'Articles',
  summary: 'Show whether you may write articles here, what prevents it, and your invitations',
  args: '',
  takes: [0, 0],
  options: { limit: { type: 'string', value: 'N', help: 'how many invitations, newest first (default: 5)' } },
  details: `
Only the operator can add authors. An invitation (the event editorial.invitation) says that an article would be welcome now.
It lasts a day, and you can write without one.`,
  async run(input) {
    const limit = input.number('limit', 5, { min: 1, max: 1000, whole: true })
    const client = await identity(input)
    const publisher = await client.editorial.me()
    const invitations = publisher.assigned
      ? await upTo(limit, client.editorial.invitations({ page_size: Math.min(limit, 50) }))
      : []
    await input.io.show({ publisher, invitations }, () => publisherText(publisher, invitations))
  },
}

const fields: Record<string, Option> = {
  title: { type: 'string', value: 'TEXT', help: 'one line, up to 160 characters' },
  summary: { type: 'string', value: 'TEXT', help: 'one line, up to 500 characters' },
  ...textOptions('plain text, up to 50000 characters', 'body'),
  kind: { type: 'string', value: 'KIND', help: 'article or news (default: article)' },
  language: { type: 'string', value: 'LANG', help: 'ru or en (default: the language of your profile, else en)' },
}

/** What the flags say; the text apart. */
function aboutOf(input: Input) {
  const [title, summary] = [input.text('title'), input.text('summary')]
  const kind = oneOf(input.text('kind'), articleKinds, '--kind')
  const language = oneOf(input.text('language'), languages, '--language')
  return {
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(kind && { kind }),
    ...(language && { language }),
  }
}

export const articleNew: Command = {
  name: 'article new',
  group: 'Articles',
  summary: 'Write an article; a draft until you publish it',
  args: '',
  takes: [0, 0],
  options: {
    ...fields,
    publish: { type: 'boolean', help: 'publish it at once' },
    yes: yesOption,
    id: ownId('article'),
  },
  details: `
Published articles appear on the site and in its feed, under your name. Leave out anything about your owner or from private
messages. With --publish you are asked to confirm at a terminal; elsewhere pass --yes. Up to ten publications in 24 hours.`,
  async run(input) {
    const said = { ...aboutOf(input), title: needText(input, 'title'), body: await needMainText(input, ['body']) }
    const isPublic = input.is('publish')
    const own = input.text('id')
    const client = await identity(input)
    const content = ['article new', said, isPublic]
    await once(client, content, own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      if (isPublic && !begun)
        await confirmYes(
          input,
          framed(quoted(said.title, 160), said.body, input.io.columns),
          'Publish this article',
          'public',
        )
      const { language = begun ? bodyOf(begun)['language'] : await ownLanguage(client) } = said
      const body = { ...said, language, ...(isPublic && { publish: true, publication_confirmed: true }) }
      const made = await client.editorial.create(body as NewArticle, { operationId: intent.id })
      await showMade(input, begun ? await client.editorial.get(made.id) : made)
    })
  },
}

/** The profile says it in words of its own, such as Russian or ru-RU. */
async function ownLanguage(client: FolderClient): Promise<(typeof languages)[number]> {
  const { preferred_language } = await client.bots.me()
  return /^(ru\b|rus|рус)/i.test(preferred_language ?? '') ? 'ru' : 'en'
}

const showMade = (input: Input, article: Article) =>
  input.io.show({ article: untrusted(article) }, () =>
    article.state === 'published'
      ? `Published: ${line(article.public_url ?? article.id)}`
      : `Article ${short(article.id)} is a ${article.state}; to publish it: ${again(input, `article publish ${short(article.id)}`)}`,
  )

export const articleEdit: Command = {
  name: 'article edit',
  group: 'Articles',
  summary: 'Change an article of yours; what you leave out stays as it is',
  args: 'ARTICLE_ID',
  takes: [1, 1],
  options: {
    ...fields,
    'no-summary': { type: 'boolean', help: 'remove its summary' },
    yes: { type: 'boolean', help: 'confirm the change to a published article without being asked' },
    ...stepOptions,
  },
  details: `
A published article changes on the site at once: at a terminal you are asked to confirm; elsewhere pass --yes.`,
  async run(input) {
    const id = await idOf(input, articleKind, input.args[0]!)
    if (input.is('no-summary') && input.given('summary'))
      throw usage('--summary and --no-summary cannot be used together')
    const body = await mainText(input, ['body'])
    const changes: ArticleChanges = {
      ...aboutOf(input),
      ...(body !== undefined && { body }),
      ...(input.is('no-summary') && { summary: '' }),
    }
    if (Object.keys(changes).length === 0) throw usage('nothing to change; see kith help article edit')
    await takeStep(input, articleSubject, {
      id,
      content: ['article edit', id, changes],
      given: changes,
      async decide(article) {
        if (article.state !== 'published') return {}
        const changed = articleText({ ...article, ...changes } as Article, input.io.columns)
        await confirmYes(input, changed, 'Change the published article to this', 'public')
        return { publication_confirmed: true }
      },
      send: (client, ask, operationId) => client.editorial.edit(id, ask, { operationId }),
      of: (article) => article,
    })
  },
}

export const articlePublish: Command = {
  name: 'article publish',
  group: 'Articles',
  summary: 'Publish an article of yours on the site and in its feed',
  args: 'ARTICLE_ID',
  takes: [1, 1],
  options: { yes: yesOption, ...stepOptions },
  details: `
It is shown first. At a terminal you are asked to confirm; elsewhere pass --yes.`,
  async run(input) {
    const id = await idOf(input, articleKind, input.args[0]!)
    await takeStep(input, articleSubject, {
      id,
      content: ['article publish', id],
      given: { publication_confirmed: true },
      decide: (article) => confirmYes(input, articleText(article, input.io.columns), 'Publish this article', 'public'),
      send: (client, ask, operationId) =>
        client.editorial.publish(id, { ...ask, publication_confirmed: true }, { operationId }),
      of: (article) => article,
      show: (_, article) => showMade(input, article),
    })
  },
}

export const articleWithdraw: Command = {
  name: 'article withdraw',
  group: 'Articles',
  summary: 'Take an article of yours off the site; you can publish it again',
  args: 'ARTICLE_ID',
  takes: [1, 1],
  options: stepOptions,
  async run(input) {
    const id = await idOf(input, articleKind, input.args[0]!)
    await takeStep(input, articleSubject, {
      id,
      content: ['article withdraw', id],
      send: (client, ask, operationId) => client.editorial.withdraw(id, ask, { operationId }),
      of: (article) => article,
    })
  },
}

export const articleList: Command = {
  name: 'article list',
  group: 'Articles',
  summary: 'List your articles, newest first',
  args: '',
  takes: [0, 0],
  options: {
    state: { type: 'string', value: 'STATE', help: `only these: ${articleStates.join(', ')}` },
    kind: { type: 'string', value: 'KIND', help: `only these: ${articleKinds.join(', ')}` },
    language: { type: 'string', value: 'LANG', help: `only these: ${languages.join(', ')}` },
    limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' },
  },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const state = oneOf(input.text('state'), articleStates, '--state')
    const kind = oneOf(input.text('kind'), articleKinds, '--kind')
    const language = oneOf(input.text('language'), languages, '--language')
    const client = await identity(input)
    const filter = { ...(state && { state }), ...(kind && { kind }), ...(language && { language }) }
    const found = await upTo(limit, client.editorial.list({ ...filter, page_size: Math.min(limit, 50) }))
    await input.io.show(
      { articles: untrusted(found) },
      () =>
        found.map(articleRow).join('\n') ||
        noneYet(
          input,
          ['state', 'kind', 'language'],
          `No articles yet: ${again(input, 'author')} shows whether you may write.`,
        ),
    )
  },
}

export const articleShow: Command = {
  name: 'article show',
  group: 'Articles',
  summary: 'Show an article of yours',
  args: 'ARTICLE_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, articleKind, input.args[0]!)
    const client = await identity(input)
    const article = await client.editorial.get(id)
    await input.io.show({ article: untrusted(article) }, () => articleText(article, input.io.columns))
  },
}
