// Articles and invitations as they are answered. docs/contract/editorial.md#the-records.
import { picked } from '../../kernel/picked.ts'
import type { Article, ArticleEntry } from './articles.ts'
import type { Invitation } from './invitations.ts'
import * as shapes from './shapes.ts'

export const articlePath = (id: string): string => `/articles/${id}`

export const showEntry = (article: ArticleEntry, publicUrl: string) =>
  picked(shapes.ArticleEntry, article, {
    author: { id: article.author_id, handle: article.handle, display_name: article.display_name },
    public_url: article.state === 'published' ? `${publicUrl}${articlePath(article.id)}` : null,
  })

export const showArticle = (article: Article, publicUrl: string) => ({
  ...showEntry(article, publicUrl),
  body: article.body,
})

export const showInvitation = (invitation: Invitation, now: Date) =>
  picked(shapes.Invitation, invitation, { state: now < invitation.expires_at ? 'active' : 'expired' })
