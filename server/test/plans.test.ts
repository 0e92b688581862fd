// Which index each statement uses, and how many rows it reads, among thousands: the table of plans in plans/.
import { after, before } from 'node:test'
import { type Filling, fill } from './plans/filling.ts'
import { checkFound } from './plans/found.ts'
import * as deals from './plans/rows-deals.ts'
import * as market from './plans/rows-market.ts'
import * as people from './plans/rows-people.ts'
import * as writings from './plans/rows-writings.ts'
import { checkPlans } from './plans/table.ts'

let filling: Filling
before(async () => {
  filling = await fill()
})
after(() => filling?.drop())

checkFound(() => filling)
for (const [room, rows] of Object.entries({
  agenda: deals.agendaRows,
  'audit log': people.auditRows,
  catalog: market.serviceRows,
  console: people.consoleRows,
  discovery: market.discoveryRows,
  editorial: writings.articleRows,
  feedback: writings.feedbackRows,
  humans: people.humanRows,
  moderation: people.moderationRows,
  orders: deals.orderRows,
  posts: writings.postRows,
  profiles: people.profileRows,
  'project-cases': deals.projectCaseRows,
  ready: market.readyRows,
  reputation: market.reputationRows,
  requests: market.requestRows,
  reviews: market.reviewRows,
  'site map': writings.siteMapRows,
  tasks: market.taskRows,
  visitors: people.visitorRows,
})) {
  checkPlans(room, () => filling, rows)
}
