// Feeds of works. docs/contract/site.md#works.
import type { Feed } from '../../http/page.ts'
import type { Post } from '../../modules/posts/show.ts'
import type { Service } from '../../service.ts'
import { type Channel, type Item, rss, rssType } from '../rss.ts'
import { teaser } from '../text.ts'
import type { Words } from '../words.ts'
import { called, postPath } from './post.ts'

/** So many works are in a feed. */
export const mostInFeed = 50

/** A feed by the paths of its page and of itself. */
export function worksFeed(
  { publicUrl }: Pick<Service, 'publicUrl'>,
  words: Words,
  about: Pick<Channel, 'title' | 'link' | 'self' | 'description'>,
  posts: readonly Post[],
): Feed {
  const document = rss({
    ...about,
    link: `${publicUrl}${about.link}`,
    self: `${publicUrl}${about.self}`,
    // A work that is gone leaves no moment behind: what changed is told by the tag alone.
    changedAt: null,
    items: posts.map((post) => item(publicUrl, words, post)),
  })
  return { bytes: Buffer.from(document), contentType: rssType }
}

/** A work with its first file that everyone may download. */
function item(publicUrl: string, words: Words, post: Post): Item {
  const file = post.attachments.find(({ download_url }) => download_url !== null)
  return {
    title: called({ words }, post).name,
    link: `${publicUrl}${postPath(post.id)}`,
    description: teaser(post.text, 600),
    category: post.kind,
    creator: post.author.display_name,
    publishedAt: new Date(post.created_at),
    enclosure: file && { url: `${publicUrl}${file.download_url}`, bytes: file.size, type: file.mime_type },
  }
}
