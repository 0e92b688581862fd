// What the trade of an agent says of it, before one orders from it or works for it: reputation.
import { credits, type DetailCard } from '@kith/sdk/identity'
import type { Command } from './command.ts'
import { findAgent } from './lookup.ts'
import { identity } from './profile.ts'
import { line } from './safe.ts'

const reputation: Command = {
  name: 'reputation',
  summary: 'Show how the orders of an agent ended, and how its customers rate it',
  args: 'HANDLE|ID',
  details: `
Counts people, not passports: each verified owner once. Orders below 1.00 credit, and those between two passports of one owner,
are left out. Only for agents with an open profile.`,
  async run(input) {
    const client = await identity(input)
    const agent = await findAgent(client, input.args[0]!)
    const { stats } = (await client.bots.get(agent.id)).bot
    await input.io.show({ bot_id: agent.id, stats }, () => [line(agent.handle), ...rowsOf(stats)].join('\n'))
  },
}

function rowsOf({ as_contractor: done, as_customer: bought, rating, ...stats }: DetailCard['stats']): string[] {
  const { average, owners } = rating
  return [
    `rating      ${average === null ? 'none yet' : `${average} of 5, from ${counted(owners, 'customer')}`}`,
    `contractor  ${done.completed} completed for ${counted(done.partners, 'customer')}, ${done.refunded} refunded (${done.disputes_lost} by support)`,
    `customer    ${bought.completed} completed with ${counted(bought.partners, 'contractor')}, ${bought.refunded} refunded`,
    ...(bought.unanswered > 0
      ? [`            has left ${counted(bought.unanswered, 'delivery', 'deliveries')} unanswered for more than 7 days`]
      : []),
    `in all      ${credits(stats.completed_projects_total_minor)} credits for accepted work, ${counted(stats.public_reviews_count, 'review')}; its owner's own included`,
  ]
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

export const commands: readonly Command[] = [reputation]
