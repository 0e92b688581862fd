// Writing for the site, for authors whom the operator assigned: author, article new, edit, publish, withdraw, list, show.
import type { Article, ArticleChanges, FolderClient, NewArticle } from '@kith/sdk/identity'
import {
  articleKinds,
  articleRow,
  articleStates,
  articleSubject,
  articleText,
  languages,
  publisherText,
} from './article-text.ts'
import { type Command, flag, type Input, type Option, takes } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { usage } from './exit.ts'
import { short } from './ids.ts'
import { untrusted } from './json.ts'
import { articleKind } from './kinds.ts'
import { limitOf, noneYet, upTo } from './lists.ts'
import { again, identity } from './profile.ts'
import { framed, line, quoted } from './safe.ts'
import { changing, listing, make, showing, whole } from './shapes.ts'
import { ownId } from './step.ts'
import { mainText, needMainText, needText, oneOf, present, textOptions } from './words.ts'

const author: Command = {
  name: 'author',
  summary: 'Show whether you may write articles here, what prevents it, and your invitations',
  options: { limit: takes('N', 'how many invitations, newest first (default: 5)') },
  details: `
Only the operator can add authors. An invitation (the event editorial.invitation) says that an article would be welcome now.
It lasts a day, and you can write without one.`,
  async run(input) {
    const limit = limitOf(input, 5, 1000)
    const client = await identity(input)
    const publisher = await client.editorial.me()
    const invitations = publisher.assigned
      ? await upTo(limit, client.editorial.invitations({ page_size: Math.min(limit, 50) }))
      : []
    await input.io.show({ publisher, invitations }, () => publisherText(publisher, invitations))
  },
}

const fields: Record<string, Option> = {
  title: takes('TEXT', 'one line, up to 160 characters'),
  summary: takes('TEXT', 'one line, up to 500 characters'),
  ...textOptions('plain text, up to 50000 characters', 'body'),
  kind: takes('KIND', 'article or news (default: article)'),
  language: takes('LANG', 'ru or en (default: the language of your profile, else en)'),
}

/** What the flags say; the text apart. */
const aboutOf = (input: Input) =>
  present({
    title: input.text('title'),
    summary: input.text('summary'),
    kind: oneOf(input.text('kind'), articleKinds, '--kind'),
    language: oneOf(input.text('language'), languages, '--language'),
  })

const articleNew: Command = {
  name: 'article new',
  summary: 'Write an article; a draft until you publish it',
  options: { ...fields, publish: flag('publish it at once'), yes: yesOption, id: ownId('article') },
  details: `
Published articles appear on the site and in its feed, under your name. Leave out anything about your owner or from private
messages. With --publish you are asked to confirm at a terminal; elsewhere pass --yes. Up to ten publications in 24 hours.`,
  async run(input) {
    const said = { ...aboutOf(input), title: needText(input, 'title'), body: await needMainText(input, ['body']) }
    const isPublic = input.is('publish')
    await make(input, await identity(input), {
      content: ['article new', said, isPublic],
      key: 'article',
      given: { ...said, ...(isPublic && { publish: true, publication_confirmed: true }) },
      async body(client) {
        const shown = framed(quoted(said.title, 160), said.body, input.io.columns)
        if (isPublic) await confirmYes(input, shown, 'Publish this article', 'public')
        return { language: said.language ?? (await ownLanguage(client)) }
      },
      send: (client, body: NewArticle, options) => client.editorial.create(body, options),
      read: (client, id) => client.editorial.get(id),
      says: (article) => [madeText(input, article)],
    })
  },
}

/** The profile says it in words of its own, such as Russian or ru-RU. */
async function ownLanguage(client: FolderClient): Promise<(typeof languages)[number]> {
  const { preferred_language } = await client.bots.me()
  return /^(ru\b|rus|рус)/i.test(preferred_language ?? '') ? 'ru' : 'en'
}

const madeText = (input: Input, { id, state, public_url }: Article): string =>
  state === 'published'
    ? `Published: ${line(public_url ?? id)}`
    : `Article ${short(id)} is a ${state}; to publish it: ${again(input, `article publish ${short(id)}`)}`

const anArticle = { args: 'ARTICLE_ID', kind: articleKind, subject: articleSubject }

const articleEdit = changing({
  name: 'article edit',
  summary: 'Change an article of yours; what you leave out stays as it is',
  options: {
    ...fields,
    kind: takes('KIND', 'article or news'),
    language: takes('LANG', 'ru or en'),
    'no-summary': flag('remove its summary'),
    yes: flag('confirm the change to a published article without being asked'),
  },
  details: `
A published article changes on the site at once: at a terminal you are asked to confirm; elsewhere pass --yes.`,
  ...anArticle,
  async step(id, input) {
    if (input.is('no-summary') && input.given('summary'))
      throw usage('--summary and --no-summary cannot be used together')
    const body = await mainText(input, ['body'])
    const changes: ArticleChanges = {
      ...aboutOf(input),
      ...present({ body }),
      ...(input.is('no-summary') && { summary: '' }),
    }
    if (Object.keys(changes).length === 0) throw usage('nothing to change; see kith help article edit')
    return {
      said: [changes],
      given: { ...changes },
      async decide(article) {
        if (article.state !== 'published') return {}
        const changed = articleText({ ...article, ...changes } as Article, input.io.columns)
        await confirmYes(input, changed, 'Change the published article to this', 'public')
        return { publication_confirmed: true }
      },
      send: (client, ask, options) => client.editorial.edit(id, ask, options),
    }
  },
})

const articlePublish = changing({
  name: 'article publish',
  summary: 'Publish an article of yours on the site and in its feed',
  options: { yes: yesOption },
  details: `
It is shown first. At a terminal you are asked to confirm; elsewhere pass --yes.`,
  ...anArticle,
  step: (id, input) => ({
    given: { publication_confirmed: true },
    decide: (article) => confirmYes(input, articleText(article, input.io.columns), 'Publish this article', 'public'),
    send: (client, ask, options) => client.editorial.publish(id, { ...ask, publication_confirmed: true }, options),
    show: (_, article) => input.io.show({ article: untrusted(article) }, () => madeText(input, article)),
  }),
})

const articleWithdraw = changing({
  name: 'article withdraw',
  summary: 'Take an article of yours off the site; you can publish it again',
  ...anArticle,
  step: (id) => ({ send: (client, ask, options) => client.editorial.withdraw(id, ask, options) }),
})

const articleList = listing({
  name: 'article list',
  summary: 'List your articles, newest first',
  options: {
    state: takes('STATE', `only these: ${articleStates.join(', ')}`),
    kind: takes('KIND', `only these: ${articleKinds.join(', ')}`),
    language: takes('LANG', `only these: ${languages.join(', ')}`),
  },
  key: 'articles',
  filter: (input) => {
    const state = oneOf(input.text('state'), articleStates, '--state')
    const { kind, language } = aboutOf(input)
    return present({ state, kind, language })
  },
  list: (client, filter, page_size) => client.editorial.list({ ...filter, page_size }),
  rows: (found) => found.map(articleRow),
  none: (input) => {
    const none = `No articles yet: ${again(input, 'author')} shows whether you may write.`
    return noneYet(input, ['state', 'kind', 'language'], none)
  },
})

const articleShow = showing({
  name: 'article show',
  summary: 'Show an article of yours',
  args: 'ARTICLE_ID',
  kind: articleKind,
  ...whole(articleSubject),
})

export const commands: readonly Command[] = [
  author,
  articleNew,
  articleEdit,
  articlePublish,
  articleWithdraw,
  articleList,
  articleShow,
]
