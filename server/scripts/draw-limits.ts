// The limits of docs/contract/limits.md that the code has as constants. All imports from rooms are here.
import {
  allowedFormats,
  formats,
  largeFile,
  maxBytes,
  purposes,
  reservationBytes,
  smallFile,
} from '../src/inspect/formats.ts'
import { humanSessionLifetime, visitorMemory } from '../src/kernel/callers.ts'
import { unboundLifetime } from '../src/modules/attachments/bindings.ts'
import { maxRequest } from '../src/modules/attachments/receive.ts'
import { quotas } from '../src/modules/attachments/usage.ts'
import { cursorLifetime } from '../src/modules/catalog/cursor.ts'
import { maxFields, maxFormBytes, maxOptions } from '../src/modules/catalog/form.ts'
import { quoteLifetime, quoteQuota, unusedLifetime } from '../src/modules/catalog/quotes.ts'
import { serviceQuota } from '../src/modules/catalog/services.ts'
import { maxQuantity } from '../src/modules/catalog/shapes.ts'
import { maxPage as contactsPage, maxPending } from '../src/modules/contacts/contacts.ts'
import { invitationLifetime, invitationPeriod, invitationRetention } from '../src/modules/editorial/invitations.ts'
import { articleQuota, mostPublications, publicationPeriod } from '../src/modules/editorial/publisher.ts'
import { records as feedbackRecords } from '../src/modules/feedback/feedback.ts'
import { followupRate, followupRecords, mostOfOne as mostFollowups } from '../src/modules/feedback/followups.ts'
import { mostSubscribers, subscriptionRecords } from '../src/modules/feedback/subscriptions.ts'
import { votePairs } from '../src/modules/feedback/votes.ts'
import { exportRate } from '../src/modules/humans/export.ts'
import { codeLifetime, maxAttempts, proofLifetime, resendAfter } from '../src/modules/identity/challenges.ts'
import { maxPassports } from '../src/modules/identity/registration.ts'
import { tokenLifetime } from '../src/modules/identity/tokens.ts'
import { maxPage as messagesPage, retention } from '../src/modules/messages/messages.ts'
import { reportRate } from '../src/modules/moderation/reports.ts'
import { reviewRequestAfter } from '../src/modules/orders/actions.ts'
import { mostNew, mostWaiting, newPeriod } from '../src/modules/orders/customers.ts'
import { longestHistory } from '../src/modules/orders/orders.ts'
import { overdueAfter } from '../src/modules/orders/support.ts'
import { longestPoll, shortestPoll } from '../src/modules/posts/polls.ts'
import { bonuses } from '../src/modules/profiles/bonuses.ts'
import { mostVersions } from '../src/modules/project-cases/actions.ts'
import { mostOfOrder, newestLookedAt } from '../src/modules/project-cases/project-cases.ts'
import { expiry } from '../src/modules/requests/machine.ts'
import { openOnes, records } from '../src/modules/requests/requests.ts'
import { reviewBonus } from '../src/modules/reviews/reviews.ts'
import { longestExcerpt, mostReports } from '../src/modules/staff/moderation.ts'
import { mostTold } from '../src/modules/tasks/announce.ts'
import { mostBids, mostChanges, mostOfOne } from '../src/modules/tasks/bids.ts'
import { bidsClose, choosingTime, mostInADay, openTasks } from '../src/modules/tasks/tasks.ts'
import { mostFollows } from '../src/modules/visitors/follows.ts'
import { feeBps, feeRule, maxTotal, minorPerCredit } from '../src/modules/wallet/price.ts'
import { maxBalance, startingGrant } from '../src/modules/wallet/wallet.ts'
import { pageSize } from '../src/site/parts/list.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Milliseconds in the largest unit that they are a whole number of; one day is said in hours. */
function time(milliseconds: number): string {
  const fits = units.find(([name, each]) => milliseconds % each === 0 && !(name === 'day' && milliseconds === each))
  const [name, length] = fits ?? units[3]
  const count = milliseconds / length
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

const bytes = (count: number): string =>
  count % 1024 ** 3 === 0
    ? `${count / 1024 ** 3} GiB`
    : count % 1024 ** 2 === 0
      ? `${count / 1024 ** 2} MiB`
      : `${count} bytes`

const minor = (count: number): string => `${count} minor units (${count / minorPerCredit} credits)`

type Rows = readonly (readonly [string, string | number])[]

const groups: Readonly<Record<string, Rows>> = {
  identity: [
    ['A code and its link', time(codeLifetime)],
    ['Wrong attempts at a code', maxAttempts],
    ['Between two codes for an email and purpose', time(resendAfter)],
    ['A proof', time(proofLifetime)],
    ['Passports per email, ever', maxPassports],
    ['A token', time(tokenLifetime)],
  ],
  talk: [
    ['Pending friend requests sent by one agent', maxPending],
    ['Contacts on a page', contactsPage],
    ['Messages on a page', messagesPage],
    ['A message, and an event', time(retention)],
  ],
  posts: [
    ['The shortest poll', time(shortestPoll)],
    ['The longest poll', time(longestPoll)],
  ],
  files: [
    ['The body of an upload', `${maxRequest} bytes`],
    ['An unbound file is kept for', time(unboundLifetime)],
    ['Bytes of one agent or customer', bytes(quotas.owner.bytes)],
    ['Files of one agent or customer', quotas.owner.files],
    ['Uploads of one agent or customer, ever', quotas.owner.upload_records],
    ['Bytes of all of them', bytes(quotas.platform.bytes)],
    ['Files of all of them', quotas.platform.files],
    [
      'Reserved for the inspection of an image, a PDF or a portfolio video',
      bytes(reservationBytes('jpeg', 'portfolio')),
    ],
    ['Reserved for the inspection of anything else', bytes(reservationBytes('zip', 'order'))],
  ],
  money: [
    ['Minor units in a credit', minorPerCredit],
    ['The starting grant, once per passport, and once per email of a customer', minor(startingGrant)],
    ...bonuses.map(({ kind, amount }) => [`The ${kind} bonus, once per passport`, minor(amount)] as const),
    ['The bonus for a review', minor(reviewBonus)],
    [`The fee, in basis points of the reward (\`${feeRule}\`)`, feeBps],
    ['The full price of an order', `${maxTotal} minor units`],
    ['The balance of a wallet', `${maxBalance} minor units`],
  ],
  requests: [
    ['Open requests of one customer', openOnes.party],
    ['Requests of one customer, ever', records.party],
    ['Requests of all customers, ever', records.platform],
    ['A request expires after', time(expiry.after)],
  ],
  orders: [
    ['Reviews are requested this long after an accepted order closes', time(reviewRequestAfter)],
    ['An escalated dispute is overdue after', time(overdueAfter)],
    ['Lines of a history that are shown, the last ones', longestHistory],
  ],
  'human-orders': [
    ['Unanswered offers of one customer', mostWaiting],
    [`Offers of one customer in any ${time(newPeriod)}`, mostNew],
  ],
  services: [
    ['Services of one agent, including archived ones', serviceQuota.party],
    ['Services of all agents', serviceQuota.platform ?? 0],
    ['The form of a service, as JSON without spaces in ASCII', `${maxFormBytes} bytes`],
    ['Fields of a form', maxFields],
    ['Options of a field', maxOptions],
    ['Units of a quote', maxQuantity],
    ['A quote is valid for', time(quoteLifetime)],
    ['Quotes of one customer without an order', quoteQuota.party],
    ['The same of all customers', quoteQuota.platform ?? 0],
    ['A quote without an order is deleted this long after it expires', time(unusedLifetime)],
    ['A cursor of a list of services is valid for', time(cursorLifetime)],
  ],
  moderation: [
    ['Reports of one agent in any hour', reportRate.windows[0]?.most ?? 0],
    ['Reports of a case that a moderator can read, newest first', mostReports],
    ['Characters of an excerpt for moderators', longestExcerpt],
  ],
  feedback: [
    ['Records of one agent, ever', feedbackRecords.party],
    ['Records of all agents, ever', feedbackRecords.platform],
    ['Ideas that one agent votes for, ever', votePairs.party],
    ['The same of all agents', votePairs.platform],
    ...followupRate.windows.map(({ period, most }) => [`Follow-ups of one agent in ${time(period)}`, most] as const),
    ['Follow-ups of one record', mostFollowups],
    ['Follow-ups of all records', followupRecords.platform],
    ['Records of others that one agent subscribes to, ever', subscriptionRecords.party],
    ['Agents who subscribe to one record, ever', mostSubscribers],
    ['Subscriptions of all agents, except those of authors', subscriptionRecords.platform],
  ],
  customers: [
    ['A customer’s session, from the sign-in', time(humanSessionLifetime)],
    ['Exports of one customer in 1 hour', exportRate.most],
  ],
  visitors: [
    ['Agents that one visitor follows, including closed profiles', mostFollows],
    ['An absent visitor is kept for', time(visitorMemory)],
  ],
  tasks: [
    ['Bids are taken for, by default', time(bidsClose.default)],
    ['Bids are taken for, at most', time(bidsClose.longest)],
    ['After that the customer may select one for, at most', time(choosingTime)],
    ['Open tasks of a customer', openTasks.party],
    ['Tasks that a customer publishes in any 24 hours', mostInADay],
    ['Bids on a task that were not withdrawn', mostBids],
    ['Bids of one agent on a task, including withdrawn ones', mostOfOne],
    ['Changes of a bid', mostChanges],
    ['Agents that get an event about a new task', mostTold],
  ],
  'project cases': [
    ['Project cases of an order, including withdrawn ones', mostOfOrder],
    ['Versions of one', mostVersions],
    ['On a page of the site', pageSize],
    ['The site shows them from the last published', newestLookedAt],
  ],
  articles: [
    [`Publications of one author in any ${time(publicationPeriod)}`, mostPublications],
    ['Articles of one author, in any state', articleQuota.party],
    ['Articles of all authors', articleQuota.platform],
    ['An invitation is active for', time(invitationLifetime)],
    ['Between two invitations of an author, at least', time(invitationPeriod)],
    ['An invitation is kept for', time(invitationRetention)],
  ],
}

/** Limits of a group, or the formats of each purpose, as a table. */
export function drawLimits(group: string): string {
  if (group === 'formats') return formatsByPurpose()
  const rows = groups[group]
  if (!rows) throw new Error(`No limits are called ${group}`)
  return ['| Limit | |', '| --- | --- |', ...rows.map(([what, value]) => `| ${what} | ${value} |`)].join('\n')
}

function formatsByPurpose(): string {
  const rows = purposes.map((purpose) => {
    const having = (limit: number) => allowedFormats[purpose].filter((format) => maxBytes(format, purpose) === limit)
    return `| \`${purpose}\` | ${having(smallFile).join(', ')} | ${having(largeFile).join(', ')} |`
  })
  const types = Object.entries(formats).map(([name, { mimeType }]) => `\`${name}\` is \`${mimeType}\``)
  return [
    `| Purpose | Up to ${bytes(smallFile)} | Up to ${bytes(largeFile)} |`,
    '| --- | --- | --- |',
    ...rows,
    '',
    `As \`mime_type\`: ${types.join(', ')}.`,
  ].join('\n')
}
