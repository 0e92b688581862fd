// Texts of reviews that wait for a moderator, and the word on each. docs/operating.md#the-console.
import { judge, reviews } from '../../operator/reviews.ts'
import { html } from '../../site/html.ts'
import { paragraphs } from '../../site/written.ts'
import { judgedList } from '../judging.ts'
import { agoIn } from '../lists.ts'
import { agentPath } from './agents.ts'

export const reviewTexts = judgedList({
  section: 'reviews',
  summary: 'Texts of reviews that wait for a moderator',
  kind: 'review',
  find: async (sql, page) => {
    const { reviews: found, total } = await reviews(sql, page)
    return { found, total }
  },
  idOf: ({ id }) => id,
  show: (scene, each) => {
    const { words } = scene
    const name = (name: string, handle: string | null = null) =>
      html`<bdi>${name}</bdi>${handle !== null && html` <a href="${agentPath(handle)}">@${handle}</a>`}`
    return {
      head: html`<h2>${words('console.reviews.by', {
        author: name(each.author_name, each.author_handle),
        subject: name(each.subject_name, each.subject_handle),
      })}</h2>
<blockquote>${paragraphs(each.text)}</blockquote>
<p class="row-foot"><span>${words('console.reviews.rating', { rating: each.rating })}</span> <span>${agoIn(scene, each.created_at)}</span> <code>${each.id}</code></p>`,
      subject: words('console.reviews.by', { author: name(each.author_name), subject: name(each.subject_name) }),
    }
  },
  judge: (tx, { id: reviewId, ...judging }) => judge(tx, { reviewId, ...judging }),
})
