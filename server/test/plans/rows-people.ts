// The table of plans: profiles, the console, the audit log, humans, visitors and moderation.
import { randomUUID } from 'node:crypto'
import { findByTokens, tokenDigest } from '../../src/http/authenticate.ts'
import { findHuman } from '../../src/http/humans.ts'
import { after, days, earlier, newId } from '../../src/kernel/clock.ts'
import { part } from '../../src/kernel/part.ts'
import { findWith } from '../../src/modules/contacts/contacts.ts'
import { findAccount } from '../../src/modules/humans/accounts.ts'
import { closeAccount } from '../../src/modules/humans/closing.ts'
import { exportOf } from '../../src/modules/humans/export.ts'
import { forgetSessions } from '../../src/modules/humans/retention.ts'
import { endAllSessions } from '../../src/modules/humans/sessions.ts'
import { humansWalk } from '../../src/modules/humans/verify.ts'
import * as moderationCases from '../../src/modules/moderation/cases.ts'
import { newestOf } from '../../src/modules/moderation/reports.ts'
import { publicPostsOf } from '../../src/modules/posts/listing.ts'
import { findOpen, findOpenByHandle, newestOpen } from '../../src/modules/profiles/profiles.ts'
import { search } from '../../src/modules/profiles/search.ts'
import { statsOf } from '../../src/modules/reviews/stats.ts'
import * as allCases from '../../src/modules/staff/all-cases.ts'
import { judgeOf } from '../../src/modules/staff/judge.ts'
import { type Filter, list, waiting } from '../../src/modules/staff/moderation.ts'
import { follows } from '../../src/modules/visitors/follows.ts'
import { forget } from '../../src/modules/visitors/forget.ts'
import { nextPosts } from '../../src/modules/visitors/posts.ts'
import { isFollowing, postState } from '../../src/modules/visitors/state.ts'
import { agentCard, findAgents, mostFound, type Wanted } from '../../src/operator/agents.ts'
import { customerCard, listCustomers } from '../../src/operator/customers.ts'
import { figuresOf } from '../../src/operator/figures.ts'
import { ordersOf } from '../../src/operator/orders.ts'
import { lookFor, mostEndings } from '../../src/operator/search.ts'
import { waitingNow } from '../../src/operator/waiting.ts'
import { type Filter as AuditFilter, actionsSeen, entries } from '../../src/store/audit.ts'
import type { Sql } from '../../src/store/sql.ts'
import type { Filling } from './filling.ts'
import { closed, firstEntry } from './people.ts'
import { asSql, asTx, type Row } from './table.ts'

const found = (filter: object, way: Row[2]): Row => [
  `GET bots ${JSON.stringify(filter)}`,
  (sql) => search(sql, { page: 1, page_size: 20, q: '', specialty: '', ...filter }),
  way,
]

export const profileRows: readonly Row[] = [
  found({}, 'Index Only Scan using agents_by_name on'),
  found({ page: 900 }, 'Index Only Scan using agents_by_name on'),
  found({ page: 390, page_size: 50 }, 'Index Only Scan using agents_by_name on'),
  // A page beyond the end reads no agent.
  found({ page: 1000, page_size: 50 }, { by: 'counters_pkey', never: 'on agents' }),
  ...[{ q: 'zymurgy' }, { q: '酿酒' }, { q: 'zymurgy helper one' }, { q: 'agent_1999' }].map((filter) =>
    found(filter, 'Bitmap Index Scan on agents_by_gram'),
  ),
  ...[{ specialty: 'kind 42' }, { specialty: '机器学习 of kind 3' }].map((filter) =>
    // Without `q`, works are not read.
    found(filter, { by: 'Bitmap Index Scan on agents_by_gram', never: 'on (posts|listed_posts)' }),
  ),
  found({ q: 'helper', specialty: 'kind 42' }, 'Bitmap Index Scan on agents_by_gram'),
  ...[
    { q: 'campanology' },
    { q: '鐘学' },
    { q: 'number 1234' },
    { q: 'campanology', specialty: 'translation' },
    { q: 'nothing of the kind' },
  ].map((filter) =>
    // One statement gives page and total.
    found(filter, {
      by: [
        'Bitmap Index Scan on posts_by_gram',
        'Index (Only )?Scan using listed_posts_pkey on',
        'Index Scan using agents_pkey on',
      ],
      never: 'Index (Only )?Scan using (agents_by_name|posts_pkey)',
    }),
  ),
  // If many match, only the page is read.
  found({ q: 'helper' }, { by: 'agents_by_name on agents a_1 .*actual rows=21', never: 'hashed SubPlan' }),
  [
    'the newest profiles, past those that nobody sees',
    (sql) => newestOpen(sql, 6),
    { by: 'Scan Backward using agents_pkey on agents', backward: closed + 10, inOrder: true, statements: 1 },
  ],
  [
    'whose tokens these are',
    (sql, { now }) =>
      findByTokens(
        sql,
        ['one', 'two'].map((token) => tokenDigest(token)),
        now,
      ),
    { by: 'Index Scan using tokens_pkey on', most: 2, statements: 1 },
  ],
  [
    'GET bots/{id}: the profile and its contact with the reader',
    (sql, { reader, famous }) => Promise.all([findOpen(sql, famous), findWith(sql, reader, [famous])]),
    { by: 'Index Scan using (agents_pkey|contacts_pair) on', most: 1, statements: 2 },
  ],
  [
    'GET bots/{id}: its trade',
    (sql, { now, famous }) => statsOf(sql, now, famous),
    {
      by: 'contractor_totals_pkey|reviews_of_subject|reputations_pkey|orders_of_customer(_in)?|orders_unanswered',
      statements: 2,
    },
  ],
  ['a profile by its handle', (sql) => findOpenByHandle(sql, 'agent_1999'), 'Index Scan using agents_handle'],
  [
    'how many works the authors of a page have',
    (sql, { many }) => publicPostsOf(sql, many.slice(0, 20)),
    { by: 'post_counts_pkey', statements: 1 },
  ],
]

const rules = ({ service, now }: Filling) => ({
  ...service,
  config: { ...service.config, ownerEmailGate: true },
  gateSince: earlier(now, days(30)),
})

const shownAgents = (wanted: Partial<Wanted>, by: string | string[]): Row[] =>
  [1, 30].map((page) => [
    `the console's agents ${JSON.stringify(wanted)}, page ${page}`,
    (sql, at) => findAgents(sql, rules(at), { q: '', page, page_size: 20, ...wanted }),
    { by, most: 3 * mostFound, whole: 'editorial_authors' },
  ])
const byStart = ['agents_handle', 'agents_by_name_start']

export const consoleRows: readonly Row[] = [
  ...shownAgents({}, 'agents_pkey'),
  ...shownAgents({ filter: 'suspended' }, 'agents_suspended'),
  ...shownAgents({ filter: 'restricted' }, 'agents_unverified'),
  ...shownAgents({ filter: 'staff' }, 'staff_pkey'),
  ...shownAgents({ filter: 'authors' }, 'editorial_authors_(pkey|due)'),
  ...shownAgents({ q: 'agent_1999' }, byStart),
  ...shownAgents({ q: 'agent number 1999' }, byStart),
  ...shownAgents({ q: 'a' }, byStart),
  ...shownAgents({ q: 'a', filter: 'suspended' }, byStart),
  ...shownAgents({ q: 'o4999@owners.example' }, 'agents_of_owner'),
  [
    "what the console's menu counts",
    (sql) => waitingNow(sql),
    { by: ['moderation_cases_in', 'dispute_cases_escalated', 'feedback_waiting'], most: 700 },
  ],
  [
    'the search of the console by an ID',
    (sql, at) => lookFor({ ...rules(at), sql }, randomUUID()),
    { by: ['agents_pkey', 'orders_pkey', 'posts_pkey', 'mails_pkey'], most: 9 },
  ],
  [
    'the search of the console by the end of an ID',
    (sql, at) => lookFor({ ...rules(at), sql }, at.hilda.id.slice(-8)),
    { by: ['agents_pkey', 'orders_pkey', 'posts_pkey', 'mails_pkey'], most: mostEndings },
  ],
  [
    'the search of the console by an address',
    (sql, at) => lookFor({ ...rules(at), sql }, 'o4999@owners.example'),
    { by: ['agents_of_owner', 'humans_email', 'mails_to'], most: 60 },
  ],
  [
    "a customer's page at the console",
    (sql, { hilda, now }) => customerCard(sql, now, hilda.id),
    { by: ['humans_pkey', 'human_sessions_of_human'], most: 1000 },
  ],
  ...(
    [
      ['of either side', {}, ['orders_of_customer(_in)?', 'orders_of_contractor(_in)?']],
      ['in a state', { state: 'closed' }, ['orders_of_customer(_in)?', 'orders_of_contractor(_in)?']],
      ['of one side', { side: 'contractor' }, 'orders_of_contractor(_in)?'],
    ] as const
  ).map(
    ([what, filter, by]): Row => [
      `orders ${what} at the console`,
      (sql, { ada }) => ordersOf(sql, ada, { page: 50, page_size: 20, ...filter }),
      { by, most: 2002 },
    ],
  ),
  ...[false, true].map(
    (suspended): Row => [
      `the console's customers${suspended ? ' who are suspended' : ''}`,
      (sql) => listCustomers(sql, { suspended, page: 1, page_size: 20 }),
      { by: suspended ? 'humans_suspended' : 'humans_pkey', most: 1001 },
    ],
  ),
  ['a month of figures', (sql, { now }) => figuresOf(sql, now), { by: 'daily_figures_pkey', most: 180, statements: 1 }],
  [
    "an agent's card at the console",
    (sql, at) => agentCard(sql, rules(at), 'reader'),
    { by: 'agents_handle', most: mostFound + 1, whole: 'editorial_authors' },
  ],
]

const day = (n: number): Date => after(firstEntry, days(n))
const entriesBy: [string, AuditFilter, string][] = [
  ['of everything', {}, 'audit_log_pkey'],
  ['of one who did much', { actor: 'operator:busy@op.example' }, 'audit_log_by_actor|audit_log_pkey'],
  ['of one who did little', { actor: 'operator:rare@op.example' }, 'audit_log_by_actor'],
  ['of a rare kind', { action: 'agent.suspend' }, 'audit_log_by_action'],
  ['of one subject', { subject: 'subject-7' }, 'audit_log_by_subject'],
  ['of a rare kind by one who did much', { actor: 'staff:mia', action: 'agent.suspend' }, 'audit_log_by_actor_action'],
  ['of a few days', { from: day(1), until: day(4) }, 'audit_log_pkey'],
  ['of a few days, by one', { actor: 'operator:rare@op.example', from: day(1), until: day(9) }, 'audit_log_by_actor'],
  ['of nobody', { actor: 'operator:nobody' }, 'audit_log_by_actor'],
]

export const auditRows: readonly Row[] = [
  ...entriesBy.flatMap(([what, filter, by]) =>
    [undefined, newId(day(7))].map(
      (before): Row => [
        `the audit log ${what}${before ? ', before an entry' : ''}`,
        (sql) => entries(sql, { ...filter, limit: 50, before }),
        { by, most: 200, dropped: 200, inOrder: true },
      ],
    ),
  ),
  // Does not read the entries.
  ['the kinds of actions', (sql) => actionsSeen(sql), { by: 'audit_log_by_action', most: 99 }],
]

const one = { most: 1 }

/** Explains the head, the ledger, a page and its first orders, then the next page. */
async function exported(sql: Sql, { service, hilda, now, sql: plain }: Filling): Promise<void> {
  let reads = 0
  const pieces = exportOf(
    (work) => {
      reads++
      return reads < 6 || reads > 100 ? work(asTx(sql, now)) : plain.snapshot(work)
    },
    { service, me: hilda },
  )
  for await (const _ of pieces) if (reads === 110) return
  throw new Error('it ended early')
}

export const humanRows: readonly Row[] = [
  [
    'a session',
    (sql, { now, session }) => findHuman({ sql, clock: { now: () => now } }, session),
    { by: 'human_sessions_pkey', ...one },
  ],
  ['an account', (sql, { now, hilda }) => findAccount(sql, now, hilda.id), { by: 'humans_pkey', ...one }],
  [
    'the end of all sessions',
    (sql, at) => endAllSessions(asTx(sql, at.now), at.aShade()),
    { by: 'human_sessions_of_human', ...one },
  ],
  [
    'an account is closed by its own orders and files',
    (sql, at) => closeAccount(asTx(sql, at.now), at.service, at.aShade()),
    {
      by: ['humans_pkey', 'orders_of_customer(_in)?', 'human_sessions_of_human', 'service_quotes_of_customer'],
      most: 2,
      statements: 12,
    },
  ],
  [
    'an export, a page of orders and the lines of one at a time',
    exported,
    { by: ['orders_of_customer(_in)?|orders_pkey', 'order_history_pkey'], most: 200 },
  ],
  [
    'the walk over accounts',
    (sql) => humansWalk.next(sql, '00000000-0000-0000-0000-000000000000'),
    { by: 'humans_pkey', most: 1000 },
  ],
  [
    'sweep: sessions that are forgotten',
    (sql, { now }) => forgetSessions(sql, now),
    { by: 'human_sessions_by_expiry', most: 1000 },
  ],
]

export const visitorRows: readonly Row[] = [
  [
    'the newest works of a thousand agents',
    (sql, { visitor }) => nextPosts(sql, visitor, 21),
    { by: 'listed_of_author', most: 1000 },
  ],
  [
    'those behind one of them',
    (sql, { visitor, middle }) => nextPosts(sql, visitor, 21, middle),
    { by: 'listed_of_author', most: 1000 },
  ],
  ...[1, 50].map(
    (page): Row => [
      `whom a visitor follows, page ${page}`,
      (sql, { visitor }) => follows(sql, visitor, { page, page_size: 20 }),
      { by: 'visitor_follows\\w*', most: 1000 },
    ],
  ),
  [
    'whether a visitor follows an agent',
    (sql, { visitor, shut }) => isFollowing(sql, visitor, shut),
    { by: 'visitor_follows_pkey', ...one },
  ],
  [
    'what a visitor made of a post',
    (sql, { visitor, middle }) => postState(sql, visitor, middle.id),
    { by: 'post_reactions\\w*', ...one },
  ],
  [
    'sweep: visitors who are forgotten',
    (sql, { now }) => forget(asSql(sql, now)),
    { by: 'visitors_by_use', most: 1000 },
  ],
]

const anyCase = { status: undefined, kind: undefined, appealed: undefined, page: 1, page_size: 20 }
const listed =
  (filter: Partial<Filter>) =>
  (sql: Sql, { now, service, ada }: Filling): Promise<unknown> =>
    list(sql, now, judgeOf(service, { id: ada }), { ...anyCase, ...filter })
const filters: [string, Partial<Filter>, string][] = [
  ['that are pending', {}, 'moderation_cases_(in|standing)'],
  ['that are pending, of a kind', { kind: 'task' }, 'moderation_cases_(of_kind_)?in'],
  ['that were approved', { status: 'approved' }, 'moderation_cases_in'],
  ['that were removed, of a kind', { status: 'removed', kind: 'post' }, 'moderation_cases_(of_kind_in|removed)'],
  ['that were removed and appealed', { status: 'removed', appealed: true }, 'moderation_cases_appealed_in'],
  ['that were removed and never appealed', { status: 'removed', appealed: false }, 'moderation_cases_in'],
  ['whose appeals wait', { appealed: true }, 'moderation_cases_appealed'],
]
const flat = { paged: 220, inOrder: true } as const

export const moderationRows: readonly Row[] = [
  ...filters.flatMap(([what, filter, by]) =>
    [1, 3].map(
      (page): Row => [`GET staff/moderation ${what}, page ${page}`, listed({ ...filter, page }), { by, ...flat }],
    ),
  ),
  ['a page of a hundred', listed({ page_size: 100 }), { by: 'moderation_cases_in', statements: 7 }],
  ...[undefined, 'removed' as const].map(
    (status): Row => [
      `GET moderation/cases, ${status ?? 'of any status'}`,
      (sql, { ada }) => moderationCases.listOwn(sql, ada, { page: 1, page_size: 20, status }),
      { by: status ? 'moderation_cases_of_owner_in' : 'moderation_cases_of_owner(_in)?', ...flat },
    ],
  ),
  [
    'what waits, for the operator',
    (sql, { now }) => waiting(sql, now, 200),
    { by: ['moderation_cases_in', 'moderation_cases_appealed'], paged: 220 },
  ],
  ...(
    [
      ['', undefined, 'moderation_cases_(of_owner(_in)?|appealed)'],
      [' in every state', 'all', 'moderation_cases_of_owner(_in)?'],
    ] as const
  ).map(
    ([what, status, by]): Row => [
      `cases of an owner at the console${what}`,
      (sql, { ada, now }) => allCases.list(sql, now, { ...anyCase, status, owner: ada }),
      { by, paged: 220 },
    ],
  ),
  ['how many wait', (sql) => moderationCases.countWaiting(sql), { by: 'moderation_cases_\\w+', most: 500 }],
  [
    'the oldest that is pending',
    (sql) => moderationCases.oldestPending(sql),
    { by: 'moderation_cases_\\w+', most: 1, inOrder: true },
  ],
  [
    'the oldest appeal',
    (sql) => moderationCases.oldestAppeal(sql),
    { by: 'moderation_cases_\\w+', most: 1, inOrder: true },
  ],
  [
    'the pending case of a thing',
    (sql, { now, reportedId }) => moderationCases.findPending(asTx(sql, now), { kind: 'post', id: reportedId }),
    { by: 'moderation_cases_(standing|removed)', ...one },
  ],
  [
    'whether a thing was removed',
    (sql, { reportedId, caseId }) =>
      moderationCases.isRemoved(sql, { kind: 'post', id: reportedId, exceptCaseId: caseId }),
    { by: 'moderation_cases_(standing|removed)', ...one },
  ],
  [
    'how often an agent has reported',
    (sql, { rae }) => sql`select at from (${newestOf(rae)} limit ${20}) as n (at)`,
    { by: 'Index Only Scan Backward using moderation_reports_of_reporter', most: 20, inOrder: true },
  ],
  [
    'whether an agent has reported a case',
    (sql, { caseId, rae }) =>
      sql`select 1 from moderation_reports where case_id = ${caseId} and reporter_id = ${rae} ${part``}`,
    { by: 'moderation_reports_once', ...one },
  ],
]
