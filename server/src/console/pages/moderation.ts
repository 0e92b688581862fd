// Cases and appeals: what waits for a decision, the longest first, and what was decided. docs/operating.md#the-console.
import { hiddenKinds } from '../../modules/moderation/hidden.ts'
import { statuses } from '../../modules/moderation/machine.ts'
import { cases, partyNamed, type WaitingModerationCase } from '../../operator/moderation.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { addressOf, empty, hasPage, pager, places } from '../../site/parts/list.ts'
import { teaser } from '../../site/text.ts'
import type { Key, Words } from '../../site/words.ts'
import { ageIn, agoIn, askedPage, chosen, dataTable, filterForm, oneOf, stretchOf, totalLine } from '../lists.ts'
import { type ConsoleScene, type ConsoleView, consolePage } from '../page.ts'

export const moderationPath = '/operator/moderation'

/** What a case is about; a suspension is about an agent, and for the operator alone. */
const caseKinds = [...hiddenKinds, 'suspension'] as const
const appeals = ['yes', 'no'] as const
const every = 'all' as const

/** To all cases about what somebody has. */
export const casesOf = (owner: string): string =>
  addressOf({ path: moderationPath, filter: { status: every, owner } }, 1)

export const moderationList = consolePage({
  path: moderationPath,
  summary: 'Cases and appeals, the longest waiting first',
  section: 'moderation',
  query: ['status', 'kind', 'appealed', 'owner', 'page'],
  async view(scene) {
    const { service, query } = scene
    const page = askedPage(scene)
    const status = chosen(query['status'], [...statuses, every])
    const kind = chosen(query['kind'], caseKinds)
    const appealed = chosen(query['appealed'], appeals)
    if (!page || status === undefined || kind === undefined || appealed === undefined) return undefined
    const { owner = '' } = query
    const ownerId = owner.trim() === '' ? undefined : await partyNamed(service.sql, owner)
    const isUnknown = owner.trim() !== '' && ownerId === undefined
    const found = isUnknown
      ? { cases: [], total: 0 }
      : await cases(service.sql, {
          ...page,
          status: status || undefined,
          kind: kind || undefined,
          appealed: appealed === '' ? undefined : appealed === 'yes',
          owner: ownerId,
        })
    if (!hasPage(page.page, found.total)) return undefined
    return listView(scene, found, { page: page.page, filter: { status, kind, appealed, owner }, isUnknown })
  },
})

interface Listed {
  page: number
  filter: Record<'status' | 'kind' | 'appealed' | 'owner', string>
  /** There is no such owner. */
  isUnknown: boolean
}

function listView(
  scene: ConsoleScene,
  { cases, total }: { cases: readonly WaitingModerationCase[]; total: number },
  { page, filter, isUnknown }: Listed,
): ConsoleView {
  const { words } = scene
  const stretch = stretchOf(moderationPath, { page }, total, filter)
  const isDecided = filter.status !== '' && filter.status !== 'pending'
  const isNarrowed = Object.values(filter).some((each) => each !== '')
  return {
    title: words.text('console.nav.moderation'),
    width: 'page',
    ...places(stretch),
    body: html`<div class="page-head"><h1>${words('console.nav.moderation')}</h1>
<p class="lead">${words(filter.status === every ? 'console.moderation.lead.all' : isDecided ? 'console.moderation.lead.decided' : 'console.moderation.lead')}</p></div>
${filterForm(scene, {
  path: moderationPath,
  values: filter,
  sieves: [
    oneOf(scene, 'status', {
      label: 'console.state',
      values: [...statuses, every],
      says: (each) =>
        each === every
          ? 'console.lists.any'
          : each === 'removed'
            ? 'console.moderation.removed'
            : `console.moderation.is.${each}`,
      unset: 'console.moderation.waits',
    }),
    oneOf(scene, 'kind', {
      label: 'console.moderation.kind',
      values: caseKinds,
      says: (each) => `console.moderation.kind.${each}`,
    }),
    oneOf(scene, 'appealed', {
      label: 'console.moderation.appealed',
      values: appeals,
      says: (each) => `console.moderation.appealed.${each}`,
    }),
    { name: 'owner', label: 'console.moderation.owner', type: 'text', maxLength: 100 },
  ],
  ...(isUnknown && { problems: { owner: words.text('console.moderation.owner.problem') } }),
})}
${isUnknown ? undefined : cases.length === 0 ? empty(scene, isNarrowed ? 'console.moderation.none' : 'console.moderation.none.waiting') : html`${totalLine(scene, total)}${table(scene, cases, isDecided)}`}
${pager(scene, stretch)}`,
  }
}

export const moderationCasePath = (id: string): string => `${moderationPath}/${id}`

/** Of which kind a case is, as one choice of {@link caseKinds}. */
export const kindOf = ({
  measure,
  subject,
}: Pick<WaitingModerationCase, 'measure' | 'subject'>): (typeof caseKinds)[number] =>
  measure === 'suspension' ? 'suspension' : subject.kind

/** What holds by a case; of a suspension nothing is removed. */
export const statusName = ({ measure, status }: Pick<WaitingModerationCase, 'measure' | 'status'>): Key =>
  measure === 'suspension' && status === 'removed' ? 'console.agents.suspended' : `console.moderation.is.${status}`

export const statusChip = (words: Words, each: Parameters<typeof statusName>[0]): HtmlPart =>
  html`<span class="chip${each.status === 'pending' && ' strong'}">${words(statusName(each))}</span>`

/**
 * What a case is known by: the title of what it is about, or whose that is; a review has no title but its stars. What waits
 * before it is shown has its title in its first line.
 */
export const nameOf = ({
  subject,
  excerpt,
  owner,
  waiting_text: waits,
}: Pick<WaitingModerationCase, 'subject' | 'excerpt' | 'owner' | 'waiting_text'>): string =>
  (subject.kind === 'review' ? undefined : (excerpt?.title ?? waits?.split('\n', 1)[0])) ||
  (owner.handle ?? owner.display_name)

const table = (scene: ConsoleScene, cases: readonly WaitingModerationCase[], isDecided: boolean): HtmlPart =>
  dataTable(scene, {
    caption: 'console.nav.moderation',
    isTitled: true,
    columns: [
      'console.moderation.case',
      'console.moderation.said',
      'console.search.owner',
      'console.state',
      'console.case.reports',
      isDecided ? 'console.case.opened' : 'console.lists.waits',
    ],
    rows: cases.map((each) => [
      ...caseRow(scene, each),
      isDecided ? agoIn(scene, each.created_at) : ageIn(scene, each.waits_since),
    ]),
  })

const caseRow = (scene: ConsoleScene, each: WaitingModerationCase): readonly HtmlPart[] => {
  const { words } = scene
  const { owner, appeal, reports, waiting_text: waits, excerpt } = each
  const isUnanswered = appeal !== null && (each.decided_at === null || each.decided_at < appeal.created_at)
  const said = isUnanswered ? appeal.text : (waits ?? reports[0]?.text ?? excerpt?.text ?? '')
  return [
    html`<a href="${moderationCasePath(each.id)}">${words(`console.moderation.kind.${kindOf(each)}`)}: <bdi>${nameOf(each)}</bdi></a>`,
    html`<span dir="auto">${teaser(said)}</span>`,
    html`<bdi>${owner.handle ?? owner.display_name}</bdi>`,
    html`${statusChip(words, each)}${isUnanswered && html` <span class="chip">${words('console.moderation.appeal')}</span>`}`,
    words.number(each.reports_count),
  ]
}
