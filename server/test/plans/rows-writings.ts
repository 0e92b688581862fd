// The table of plans: posts, articles, feedback and the site map.
import * as articles from '../../src/modules/editorial/articles.ts'
import { list as invitations } from '../../src/modules/editorial/invitations.ts'
import { publicationsOf } from '../../src/modules/editorial/publisher.ts'
import * as reading from '../../src/modules/editorial/reading.ts'
import * as answers from '../../src/modules/feedback/answers.ts'
import { findVisible, oldestWaiting, own } from '../../src/modules/feedback/feedback.ts'
import { ideas } from '../../src/modules/feedback/ideas.ts'
import { mayHearOfFeedback } from '../../src/modules/feedback/listing.ts'
import * as subscriptions from '../../src/modules/feedback/subscriptions.ts'
import { vote } from '../../src/modules/feedback/votes.ts'
import { type Filter, feed, newestListed, newestPosts, postsOfAuthor } from '../../src/modules/posts/feed.ts'
import { createMemory } from '../../src/modules/posts/memory.ts'
import { readPages } from '../../src/modules/posts/newest-texts.ts'
import { authorsOfPostsWith } from '../../src/modules/posts/search-text.ts'
import { list as staffFeedback } from '../../src/modules/staff/feedback.ts'
import * as mapped from '../../src/site/machines/mapped.ts'
import { cutParts, entriesOf, mostEntries, partsOf } from '../../src/site/machines/site-map-parts.ts'
import type { Filling } from './filling.ts'
import { asTx, type Row, type Way } from './table.ts'
import { articles as articleCount } from './writings.ts'

const viewer = ({ reader, now }: Filling) => ({ id: reader, publicUrl: '', now })
/** A reader of the site who is not signed in. */
const nobody = ({ now }: Filling) => ({ id: null, publicUrl: '', now })
const anyPost: Filter = { page: 1, page_size: 20, kind: undefined, q: '', author: undefined, mine: false }
const scan = (...indexes: string[]): string[] => indexes.map((index) => `Scan using ${index} on`)

const posts = (filter: Partial<Filter>, way: Row[2]): Row => [
  `GET posts ${JSON.stringify(filter)}`,
  (sql, at) => feed(sql, viewer(at), { ...anyPost, ...filter }),
  way,
]
const postsOf = (filter: Partial<Filter>, by: string[]): Row => [
  `GET posts of an author ${JSON.stringify(filter)}`,
  (sql, at) => feed(sql, viewer(at), { ...anyPost, ...filter, author: at.authors[3] }),
  { by, most: 2100, inOrder: true },
]
/** Pages of three readers at once, with another page of the last. */
const postsTogether = (filter: Partial<Filter>, way: Way): Row => [
  `GET posts ${JSON.stringify(filter)} of several readers at once`,
  (sql, at) =>
    readPages(
      sql,
      nobody(at),
      createMemory(0),
      [at.reader, at.authors[3] as string, at.authors[4] as string, at.reader].map((viewerId, page) => ({
        viewerId,
        filter: { ...anyPost, page: page + 1, ...filter },
      })),
    ),
  way,
]
const sitePosts = (filter: Partial<Filter>, way: Way): Row => [
  `the site's posts ${JSON.stringify(filter)}: of nobody's own`,
  (sql, at) => feed(sql, nobody(at), { ...anyPost, ...filter }),
  { never: 'posts_private|posts_of_author', ...way },
]
// Lists are merged, not sorted.
const merged = { most: 2100, inOrder: true } as const
const byGram = 'Bitmap Index Scan on posts_by_gram'

export const postRows: readonly Row[] = [
  posts({}, { by: scan('listed_newest', 'posts_private'), ...merged }),
  posts({ page: 100 }, { by: scan('listed_newest', 'posts_private'), ...merged }),
  posts({ page: 350, page_size: 50 }, { by: scan('listed_newest'), ...merged }),
  posts({ kind: 'update' }, { by: scan('listed_newest_kind', 'posts_private_kind'), ...merged }),
  posts({ kind: 'portfolio', page: 150 }, { by: scan('listed_newest_kind'), ...merged }),
  postsOf({}, scan('listed_of_author')),
  postsOf({ kind: 'update' }, scan('listed_of_author_kind')),
  posts({ mine: true }, { by: scan('posts_of_author'), ...merged }),
  posts({ mine: true, kind: 'update' }, { by: scan('posts_of_author_kind'), ...merged }),
  postsTogether({}, { by: scan('listed_newest', 'posts_private'), ...merged, statements: 2 }),
  postsTogether({ kind: 'update' }, { by: scan('listed_newest_kind', 'posts_private_kind'), ...merged, statements: 2 }),
  postsTogether({ mine: true }, { by: scan('posts_of_author'), ...merged }),
  // Fifty posts take as many statements as one; a page beyond the end takes two totals.
  posts({ page_size: 50 }, { by: 'listed_newest', statements: 1 }),
  posts({ page_size: 1 }, { by: 'listed_newest', statements: 1 }),
  posts({ page: 100_000 }, { by: 'counters_pkey', never: 'posts_pkey', statements: 2 }),
  sitePosts({}, { by: scan('listed_newest'), ...merged }),
  sitePosts({ page: 50 }, { by: scan('listed_newest'), ...merged }),
  sitePosts({ page: 400 }, { by: scan('listed_newest'), ...merged }),
  sitePosts({ kind: 'update' }, { by: scan('listed_newest_kind'), ...merged }),
  sitePosts({ kind: 'portfolio', page: 200 }, { by: scan('listed_newest_kind'), ...merged }),
  sitePosts({ q: 'zymurgy' }, { by: byGram }),
  ...[
    { q: 'zymurgy' },
    { q: '酿酒' },
    { q: 'zymurgy common' },
    { q: 'zymurgy', kind: 'update' as const },
    { q: 'number 79' },
  ].map((filter) => posts(filter, byGram)),
  ...['zymurgy', 'common'].map((q) =>
    posts({ q, mine: true }, 'posts_by_gram|posts_of_author|posts_of_author_kind|posts_private'),
  ),
  ['authors of posts with a word', (sql) => sql`${authorsOfPostsWith(['zymurgy'])}`, byGram],
  [
    'the newest posts of an author',
    (sql, at) => newestPosts(sql, nobody(at), at.authors[3] as string, 4),
    { by: scan('listed_of_author'), most: 50, statements: 1 },
  ],
  [
    "a page of an author's works",
    (sql, at) => postsOfAuthor(sql, viewer(at), at.authors[3] as string, { kind: undefined, page: 2, page_size: 20 }),
    { by: scan('listed_of_author') },
  ],
  [
    'the newest of the site',
    (sql, at) => newestListed(sql, nobody(at), 6),
    { by: 'Scan (Backward )?using listed_newest on', most: 6, statements: 1 },
  ],
]

const page = { page: 1, page_size: 20 }
const anyArticle = { state: undefined, kind: undefined, language: undefined, page_size: 20 }
/** A page, given the number of the last one, and the most rows it may read. */
const articlePages: [string, (last: number) => number, number][] = [
  ['first', () => 1, 20],
  ['second', () => 2, 40],
  ['middle', (last) => Math.floor(last / 2), articleCount / 3],
  ['last but one', (last) => last - 1, 40],
  ['last', (last) => last, 20],
]
/** Each author has written two hundred. */
const written = 200

export const articleRows: readonly Row[] = [
  ...[20, 50].map(
    (limit): Row => [
      `the newest ${limit} articles`,
      (sql) => reading.newest(sql, limit),
      { by: ['listed_articles_newest', 'articles_pkey'], most: limit },
    ],
  ),
  ...articlePages.map(
    ([which, at, most]): Row => [
      `the site's articles, the ${which} page: by the index from its nearer end`,
      async (sql, { sql: plain }) => {
        const { articles: total } = await reading.feedState(plain)
        return reading.newestPage(sql, total, { page: at(Math.ceil(total / 20)), page_size: 20 })
      },
      { by: ['Index Only Scan (Backward )?using listed_articles_newest', 'articles_pkey'], most },
    ],
  ),
  [
    'the others of an author',
    async (sql, { sql: plain, articleIds }) => {
      const article = await reading.findPublic(plain, articleIds[9999] as string)
      return article && reading.othersOf(sql, article, 3)
    },
    { by: ['listed_articles_of_author', 'articles_pkey'], most: written },
  ],
  [
    'an article',
    (sql, { articleIds }) => reading.findPublic(sql, articleIds[9999] as string),
    { by: ['listed_articles_pkey', 'articles_pkey'], most: 1 },
  ],
  ...[
    { ...anyArticle, page: 1 },
    { ...anyArticle, page: 10 },
    { ...anyArticle, state: 'draft' as const, page: 1 },
    { ...anyArticle, state: 'withdrawn' as const, kind: 'news' as const, language: 'ru' as const, page: 1 },
  ].map(
    (filter): Row => [
      `GET editorial/articles ${JSON.stringify(filter)}`,
      (sql, { publishers }) => articles.list(sql, publishers[7] as string, filter),
      { by: 'articles_of_author', most: written },
    ],
  ),
  [
    'GET editorial/invitations',
    (sql, { publishers }) => invitations(sql, publishers[7] as string, page),
    { by: 'editorial_invitations_of_agent', most: 90 },
  ],
  [
    'how often an author has published',
    (sql, { publishers }) => sql`
      select newest.at from (${publicationsOf(publishers[3] as string)} limit ${10}) as newest (at)`,
    { by: 'article_publications_of_author', most: 10 },
  ],
]

const me = ({ voters }: Filling): string => voters[0] as string
const none = { category: undefined, visibility: undefined, status: undefined }
export const feedbackRows: readonly Row[] = [
  ...[1, 20, 200].map(
    (number): Row => [
      `GET feedback/ideas, page ${number}`,
      (sql, at) => ideas(sql, me(at), { q: '', page: number, page_size: 50 }),
      { by: 'listed_ideas_pkey', most: number * 50 + 200 },
    ],
  ),
  ...['zymurgy', 'number1230', 'zymurgy common words'].map(
    (q): Row => [
      `GET feedback/ideas?q=${q}`,
      (sql) => ideas(sql, null, { q, ...page }),
      { by: 'Bitmap Index Scan on feedback_ideas_by_gram', most: 400 },
    ],
  ),
  ...[none, { ...none, visibility: 'private' as const, status: 'planned' as const }].map(
    (filter): Row => [
      `GET feedback ${JSON.stringify(filter)}`,
      (sql, at) => own(sql, me(at), { ...page, page: 2, ...filter }),
      { by: 'feedback_of_author', most: 1000 },
    ],
  ),
  [
    'GET feedback/subscriptions',
    (sql, at) => subscriptions.list(sql, me(at), { ...page, page: 2 }),
    { by: 'feedback_subscriptions_pkey', most: 1000 },
  ],
  ['GET feedback/{id}', (sql, at) => findVisible(sql, me(at), at.recordId), { by: 'feedback_pkey', most: 1 }],
  [
    'GET feedback/{id}/updates',
    (sql, at) => answers.list(sql, at.recordId, page),
    { by: 'feedback_updates_pkey', most: 1 },
  ],
  ['the oldest that waits', (sql) => oldestWaiting(sql), { by: 'feedback_waiting', most: 1 }],
  ...[
    {},
    { status: 'received' as const },
    { category: 'idea' as const },
    { visibility: 'private' as const, status: 'planned' as const },
    { category: 'problem' as const, status: 'resolved' as const },
  ].flatMap((filter) =>
    [1, 15].map(
      (number): Row => [
        `GET staff/feedback ${JSON.stringify(filter)}, page ${number}: merged and not sorted`,
        (sql) => staffFeedback(sql, { ...filter, page: number, page_size: 50 }),
        { by: 'feedback_by_kind', most: number * 50 + 200, inOrder: true },
      ],
    ),
  ),
  [
    'PUT feedback/ideas/{id}/vote',
    (sql, at) => vote(asTx(sql, at.now), { id: at.voters[1] } as never, at.ideaId, true),
    { by: 'listed_ideas_pkey', most: 2 },
  ],
  [
    'who is notified of an answer',
    (sql, { ideaId }) => sql`
      select agent_id from feedback_subscriptions
      where feedback_id = ${ideaId} and is_active and from_version < ${2}`,
    { by: 'feedback_subscriptions_of_record', most: 50 },
  ],
  [
    'whether an agent may be notified of a record',
    (sql, at) => sql`
      select 1 from (values (${me(at)}::uuid, ${at.ideaId}::uuid)) as e (recipient_id, subject_id)
      where ${mayHearOfFeedback}`,
    { by: 'feedback_pkey', most: 1 },
  ],
]

const { posts: mappedPosts } = mapped
/** The last part reads its own rows once, and those that must follow before it is cut. */
const ofPart = { by: 'posts_pkey', most: mostEntries + 1100 }

export const siteMapRows: readonly Row[] = [
  ['the parts of posts', (sql) => partsOf(sql, mappedPosts), ofPart],
  ...[1, 2].map(
    (number): Row => [
      `the posts of part ${number}`,
      async (sql) => {
        for await (const _ of entriesOf(sql, mappedPosts, number));
      },
      ofPart,
    ],
  ),
  ['what is not cut yet', (sql) => cutParts(sql, mappedPosts), ofPart],
  ['the parts of agents', (sql) => partsOf(sql, mapped.agents), { ...ofPart, by: 'agents_pkey' }],
]
