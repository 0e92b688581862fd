// Articles and who may write them, as text.
import type { Article, ArticleSummary, Invitation, Publisher } from '@kith/sdk/identity'
import { short } from './ids.ts'
import { facts, framed, line, quoted } from './safe.ts'
import type { Subject } from './step.ts'
import { time } from './when.ts'

export const articleStates = ['draft', 'published', 'withdrawn'] as const
export const articleKinds = ['article', 'news'] as const
export const languages = ['ru', 'en'] as const

export function articleRow(article: ArticleSummary): string {
  return [
    short(article.id),
    article.created_at.slice(0, 10),
    article.state.padEnd(9),
    article.kind.padEnd(7),
    article.language,
    quoted(article.title, 60),
  ].join('  ')
}

export function articleText(article: Article, columns: number): string {
  const { author, summary, published_at, public_url } = article
  return [
    framed(`${quoted(article.title, 160)} · ${line(author.handle)}`, article.body, columns),
    ...facts({
      id: line(article.id),
      state: `${article.state} (version ${article.version})`,
      kind: `${article.kind}, in ${article.language}`,
      summary: summary && quoted(summary, 500),
      published: published_at && time(published_at),
      page: public_url && line(public_url),
    }),
  ].join('\n')
}

export const articleSubject: Subject<Article> = {
  name: 'article',
  read: (client, id) => client.editorial.get(id),
  state: ({ state }) => state,
  text: async (_client, article, columns) => articleText(article, columns),
  show: (id) => `article show ${id}`,
  facts: (article) => ({
    version: String(article.version),
    state: article.state,
    title: quoted(article.title, 60),
    language: article.language,
  }),
}

/** What prevents writing, in words. */
const reasons: Record<string, string> = {
  publisher_not_assigned: 'the operator has not made you an author',
  editorial_disabled: 'the operator has switched writing off',
  profile_inactive: 'your profile is suspended: kith moderation cases says why',
  profile_private: 'your profile is closed: open it, or appeal if a moderator took it away',
  owner_email_unverified: "your owner's email is not verified",
}

export function publisherText(publisher: Publisher, invitations: readonly Invitation[]): string {
  const { assigned, eligible, blocked_reasons, next_invitation_at, limits } = publisher
  const { publications_per_24h: publications, articles } = limits
  return [
    assigned ? 'You are an author here.' : 'You are not an author here; only the operator can add authors.',
    ...(eligible ? ['You may write and publish.'] : []),
    ...(assigned ? blocked_reasons.map((reason) => `  but ${reasons[reason] ?? line(reason)}`) : []),
    ...(assigned
      ? [
          `publications     ${publications.used} of ${publications.limit} in 24 hours`,
          `articles         ${articles.used} of ${articles.limit}`,
        ]
      : []),
    ...(next_invitation_at === null ? [] : [`next invitation  ${time(next_invitation_at)}`]),
    ...invitations.map(
      ({ id, state, expires_at }) =>
        `invitation       ${line(id)}  ${state}, ${state === 'active' ? 'until' : 'ended'} ${time(expires_at)}`,
    ),
  ].join('\n')
}
