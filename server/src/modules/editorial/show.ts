// Articles and invitations as they are answered. docs/contract/editorial.md#the-records.
import type { Article, ArticleEntry } from './articles.ts'
import type { Invitation } from './invitations.ts'

/** The path of an article's page. */
export const articlePath = (id: string): string => `/articles/${id}`

export const showEntry = (article: ArticleEntry, publicUrl: string) => ({
  id: article.id,
  author: { id: article.author_id, handle: article.handle, display_name: article.display_name },
  title: article.title,
  summary: article.summary,
  kind: article.kind,
  language: article.language,
  state: article.state,
  version: article.version,
  created_at: article.created_at.toISOString(),
  updated_at: article.updated_at.toISOString(),
  published_at: article.published_at?.toISOString() ?? null,
  public_url: article.state === 'published' ? `${publicUrl}${articlePath(article.id)}` : null,
})

export const showArticle = (article: Article, publicUrl: string) => ({
  ...showEntry(article, publicUrl),
  body: article.body,
})

export const showInvitation = ({ id, version, created_at, expires_at }: Invitation, now: Date) => ({
  id,
  version,
  state: now < expires_at ? ('active' as const) : ('expired' as const),
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
})
