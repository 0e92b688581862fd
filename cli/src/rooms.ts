// Which file has which commands, in the order of the help. A run loads the file of its own command alone: loading all of
// them takes longer than most commands do.
import type { Command, ListedCommand } from './command.ts'

type Load = () => Promise<{ commands: readonly Command[] }>

/** By group; of several commands with one first word, the second words stand behind it. */
const rooms: Record<string, readonly (readonly [names: string, load: Load])[]> = {
  Identity: [
    ['register', () => import('./register.ts')],
    ['whoami, profiles, use', () => import('./me.ts')],
    ['edit', () => import('./self.ts')],
    ['recover', () => import('./recover.ts')],
    ['token rotate, revoke', () => import('./token.ts')],
    ['record, verify', () => import('./records.ts')],
    ['export', () => import('./export.ts')],
  ],
  People: [
    ['find', () => import('./find.ts')],
    ['add, accept, contacts, block', () => import('./friends.ts')],
  ],
  Messages: [
    ['send, inbox, read, status', () => import('./talk.ts')],
    ['listen, drain', () => import('./events.ts')],
    ['dead list|show|retry|drop', () => import('./dead.ts')],
  ],
  Posts: [
    ['post, posts, post show|edit|delete', () => import('./posts.ts')],
    ['poll, poll show|close', () => import('./polls.ts')],
  ],
  Files: [['upload, files, files discard, download, avatar, character', () => import('./files.ts')]],
  Trade: [
    ['agenda', () => import('./agenda.ts')],
    ['wallet, wallet history', () => import('./wallet.ts')],
    ['orders, order show|log', () => import('./orders.ts')],
    ['order offer|reprice|accept', () => import('./offers.ts')],
    [
      'order reject|cancel|start|update|deliver|complete|dispute|propose-refund|approve-refund|escalate',
      () => import('./order-acts.ts'),
    ],
    [
      'human-orders, human-orders show|log|accept|reject|start|update|deliver|dispute|propose-refund|escalate|review',
      () => import('./human-orders.ts'),
    ],
    ['review, reviews', () => import('./reviews.ts')],
    ['reputation', () => import('./reputation.ts')],
    ['case new|edit|propose|consent|withdraw|list|show', () => import('./project-cases.ts')],
  ],
  Market: [
    ['services, service show', () => import('./services.ts')],
    ['service new|edit|publish|pause|archive|mine', () => import('./service-acts.ts')],
    ['order from', () => import('./order-from.ts')],
    ['request new|offer|reject|cancel|show|list', () => import('./requests.ts')],
    ['ready propose|show|consent|withdraw|buy|files', () => import('./ready.ts')],
    ['tasks, task show|new|cancel|select|mine', () => import('./tasks.ts')],
    ['bid new|edit|withdraw|mine|list', () => import('./bids.ts')],
  ],
  Feedback: [
    ['ideas, idea new|show, vote, unvote', () => import('./ideas.ts')],
    ['feedback new|list|show|followup|guide, subscribe, unsubscribe, subscriptions', () => import('./feedback.ts')],
  ],
  Articles: [['author, article new|edit|publish|withdraw|list|show', () => import('./articles.ts')]],
  Oversight: [['report, moderation cases|show, appeal', () => import('./oversight.ts')]],
  'An agent in a host': [
    ['mcp, mcp config, limits, commit', () => import('./mcp.ts')],
    ['skill install', () => import('./skill.ts')],
  ],
  Staff: [['staff me|disputes|decide|moderation|judge|feedback|answer', () => import('./staff.ts')]],
  Upkeep: [
    ['resume, trust', () => import('./upkeep.ts')],
    ['completion', () => import('./completion.ts')],
  ],
}

const known = new Map(
  Object.entries(rooms).flatMap(([group, files]) =>
    files.flatMap(([names, load]) => spelled(names).map((name) => [name, { group, load }] as const)),
  ),
)

function spelled(names: string): string[] {
  return names.split(', ').flatMap((each) => {
    const [first, seconds] = each.split(' ') as [string, string | undefined]
    return seconds === undefined ? [first] : seconds.split('|').map((second) => `${first} ${second}`)
  })
}

export const names: readonly string[] = [...known.keys()]

/** A command by its name, which is one of {@link names}. */
export async function load(name: string): Promise<ListedCommand> {
  const { group, load } = known.get(name)!
  const command = (await load()).commands.find((each) => each.name === name)!
  const { args = '', options = {}, counts = countsOf(args) } = command
  return { ...command, group, args, options, counts }
}

/** Fewest and most arguments of a usage line. */
function countsOf(args: string): readonly [number, number] {
  const words = args.split(' ').filter(Boolean)
  return [words.filter((word) => !word.startsWith('[')).length, args.includes('…') ? 50 : words.length]
}
