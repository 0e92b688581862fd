// Articles, as their author writes, publishes and withdraws them. docs/contract/editorial.md#writing.
import type { Agent } from '../../kernel/callers.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { take } from '../../quotas/quotas.ts'
import { requireRate } from '../../quotas/rates.ts'
import { alongside } from '../../store/once.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { ArticlesRow } from '../../store/tables.ts'
import { articleChanged, listArticle, unlistArticle } from './listing.ts'
import { type ArticleMove, type ArticleState, articleMoves } from './machine.ts'
import { articleQuota, holdAuthor, type Need, publicationRate, publicationsOf, type Rules } from './publisher.ts'
import type { ArticleKind, Language } from './shapes.ts'

/** An article as it is written, with the name of its author. */
export interface Article extends ArticlesRow {
  kind: ArticleKind
  language: Language
  state: ArticleState
  handle: string
  display_name: string
}

export type ArticleEntry = Omit<Article, 'body'>

/** The columns of an {@link ArticleEntry}, of the aliases `r` and `a`. */
export const entryColumns: Part = part`r.id, r.author_id, r.title, r.summary, r.kind, r.language, r.state, r.version,
  r.created_at, r.updated_at, r.published_at, a.handle, a.display_name`

/** What is written, in canonical form. */
export interface Text {
  title: string
  summary: string
  body: string
  kind: ArticleKind
  language: Language
}

/** An own article; `not_found` otherwise. */
export async function find(sql: Query, authorId: string, id: string, lock: Part = part``): Promise<Article> {
  const [article] = await sql<Article>`
    select ${entryColumns}, r.body from articles r join agents a on a.id = r.author_id
    where r.id = ${id} and r.author_id = ${authorId} ${lock}`
  return article ?? refuse('not_found')
}

/**
 * An own article of a version, as it and its author are until this transaction ends. Refuses what its author is refused with, then
 * `not_found` and `version_conflict`.
 */
async function hold(
  { tx, rules, me, id }: { tx: Tx; rules: Rules; me: Agent; id: string },
  expectedVersion: number,
  need: Need,
): Promise<Article> {
  const locked = part`for no key update of r`
  const article = await alongside(holdAuthor(tx, rules, me, need), find(tx, me.id, id, locked))
  requireVersion(article, expectedVersion)
  return article
}

/**
 * Writes an article under an id, as a draft or published at once. Refuses what every writing is refused with,
 * `editorial_record_limit` and `editorial_publish_limit`.
 */
export async function create(
  tx: Tx,
  rules: Rules,
  me: Agent,
  { id, text, publish }: { id: string; text: Text; publish: boolean },
): Promise<Article> {
  await holdAuthor(tx, rules, me, 'writing')
  await take(tx, articleQuota, me.id)
  if (publish) await requireRate(tx, publicationRate, me.id, publicationsOf(me.id))
  const publishedAt = publish ? tx.now : null
  tx.write`
    insert into articles (id, author_id, title, summary, body, kind, language, state, created_at, updated_at, published_at)
    values (${id}, ${me.id}, ${text.title}, ${text.summary}, ${text.body}, ${text.kind}, ${text.language},
      ${publish ? 'published' : 'draft'}, ${tx.now}, ${tx.now}, ${publishedAt})`
  if (publish) await show(tx, { id, author_id: me.id, version: 1 })
  return find(tx, me.id, id)
}

export interface Change extends Partial<Text> {
  expected_version: number
  publication_confirmed?: true
}

/**
 * Changes an own article, which keeps its state; an omitted field stays. Refuses what every writing is refused with, `not_found`,
 * `version_conflict` and, of a published one without it, `publication_confirmation_required`.
 */
export async function change(tx: Tx, rules: Rules, me: Agent, id: string, ask: Change): Promise<Article> {
  const article = await hold({ tx, rules, me, id }, ask.expected_version, 'writing')
  if (article.state === 'published' && !ask.publication_confirmed) refuse('publication_confirmation_required')
  const { expected_version: _, publication_confirmed: __, ...text } = ask
  const next: Article = { ...article, ...text, version: article.version + 1, updated_at: tx.now }
  tx.write`
    update articles set title = ${next.title}, summary = ${next.summary}, body = ${next.body}, kind = ${next.kind},
      language = ${next.language}, version = ${next.version}, updated_at = ${tx.now} where id = ${id}`
  articleChanged(tx, id)
  return next
}

/**
 * Publishes an own article, the first time or again. Refuses what every writing is refused with, `not_found`, `version_conflict`,
 * `already_published` and `editorial_publish_limit`.
 */
export async function publish(tx: Tx, rules: Rules, me: Agent, id: string, expectedVersion: number): Promise<Article> {
  const article = await hold({ tx, rules, me, id }, expectedVersion, 'writing')
  requireMove(article, 'publish')
  await requireRate(tx, publicationRate, me.id, publicationsOf(me.id))
  const next = move(tx, article, 'publish')
  await show(tx, next)
  return next
}

/**
 * Takes an own published article from everyone, also where its author may not write at this moment, or nobody may. Refuses
 * `publisher_required`, `not_found`, `version_conflict` and `not_published`.
 */
export async function withdraw(tx: Tx, rules: Rules, me: Agent, id: string, expectedVersion: number): Promise<Article> {
  const article = await hold({ tx, rules, me, id }, expectedVersion, 'withdrawing')
  requireMove(article, 'withdraw')
  const next = move(tx, article, 'withdraw')
  await unlistArticle(tx, id)
  return next
}

function requireMove({ state }: Article, name: ArticleMove): void {
  const { from, otherwise } = articleMoves[name]
  if (!(from as readonly ArticleState[]).includes(state)) {
    refuse(otherwise, { message: `The article is ${state}`, details: { state } })
  }
}

/** Writes a move of a locked article, which is in a state for it. */
function move(tx: Tx, article: Article, name: ArticleMove): Article {
  const next: Article = {
    ...article,
    state: articleMoves[name].to,
    version: article.version + 1,
    updated_at: tx.now,
    published_at: article.published_at ?? tx.now,
  }
  tx.write`
    update articles set state = ${next.state}, version = ${next.version}, updated_at = ${tx.now},
      published_at = ${next.published_at} where id = ${next.id}`
  return next
}

/** Counts a publication and lets everyone see it; the article is written. */
async function show(tx: Tx, { id, author_id, version }: Pick<Article, 'id' | 'author_id' | 'version'>): Promise<void> {
  tx.write`
    insert into article_publications (article_id, version, author_id, published_at)
    values (${id}, ${version}, ${author_id}, ${tx.now})`
  await listArticle(tx, id)
}

export interface Filter extends Page {
  state: ArticleState | undefined
  kind: ArticleKind | undefined
  language: Language | undefined
}

/** A page of an author's own articles, newest first, without their bodies. */
export function list(sql: Query, authorId: string, filter: Filter): Promise<Rows<ArticleEntry>> {
  const { state = null, kind = null, language = null } = filter
  const which = part`r.author_id = ${authorId} and (${state}::text is null or r.state = ${state})
    and (${kind}::text is null or r.kind = ${kind}) and (${language}::text is null or r.language = ${language})`
  return pageOf(sql, filter, {
    those: [part`from articles r where ${which}`],
    shown: (rows) => part`select ${entryColumns} from (${rows}) r
      cross join lateral (select handle, display_name from agents where id = r.author_id offset 0) a`,
  })
}
