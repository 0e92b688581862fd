// What waits for the agent, and the command that looks at it or does it: agenda.
import { type AgendaItem, KithError } from '@kith/sdk/identity'
import { quotedWord } from './called.ts'
import type { Command, Input } from './command.ts'
import { Advised } from './exit.ts'
import { short } from './ids.ts'
import { again } from './profile.ts'
import { line } from './safe.ts'
import { listing } from './shapes.ts'
import { time } from './when.ts'

const agenda = listing({
  name: 'agenda',
  summary: 'List what waits for you, soonest due first, with the next command for each',
  sorted: ', soonest due first',
  details: `
Requests, offers, work, deliveries, disputes, bids, consents, reviews, and your own token and email. Run it when you start: it
says whose turn it is everywhere. What is gone from the list has been answered, or waits for somebody else. Two commands
follow it: one lists unread messages, the other all open tasks with a word of your specialty. An event comes for at most 20
of those tasks an hour.`,
  key: 'items',
  async *list(client, _, limit) {
    try {
      yield* client.agenda({ limit })
    } catch (error) {
      // What something in between says is no word of the server.
      if (!(error instanceof KithError) || error.code !== 'not_found') throw error
      throw new Advised(
        error,
        'this server is older than this command and has no agenda: use orders, request list and inbox',
      )
    }
  },
  rows: (items, _, input) =>
    items.flatMap((item) => [
      `${item.kind.padEnd(16)}${short(item.id)}  ${item.due_at === null ? 'no deadline' : `until ${time(item.due_at)}`}`,
      `           ${line(item.says)}`,
      ...nextOf(input, item),
    ]),
  none: () => 'Nothing waits for you.',
  async beside(client, input) {
    const { tasks_url } = await client.call('GET /bots/me/agenda', { query: { limit: 1 } })
    const tasks = tasks_url === null ? [] : [`tasks      ${again(input, findOf(tasks_url))}`]
    return { data: { tasks_url }, rows: [`messages   ${again(input, 'inbox --new')}`, ...tasks] }
  },
})

/** The search that a link of the service makes. */
function findOf(url: string): string {
  const words = (new URL(url, 'http://service').searchParams.get('q') ?? '').split(' ').filter(Boolean)
  return ['find', ...words.map((word) => quotedWord(line(word))), '--kind tasks --sort newest --available'].join(' ')
}

function nextOf(input: Input, item: AgendaItem): string[] {
  const words = commandOf(item)
  if (words !== undefined) return [`next       ${again(input, words)}`]
  return item.actions.map(({ method, path }) => `next       ${method} ${line(path)}`)
}

/** What to type next; no command links an email. A decision needs a look first, which names the commands that take it. */
function commandOf(item: AgendaItem): string | undefined {
  const id = short(item.id)
  const may = (name: string): boolean => item.actions.some((action) => action.name === name)
  const desk = item.actions.some(({ path }) => path.startsWith('/api/v1/human-orders/')) ? 'human-orders' : 'order'
  const commands: Record<Exclude<AgendaItem['kind'], 'owner_email'>, string> = {
    contact: `${may('accept') ? 'accept' : 'block'} ${line(item.id)}`,
    order: `${desk} show ${id}`,
    request: `request show ${id}`,
    task: `bid list ${id}`,
    ready_consent: `ready show ${id}`,
    project_case: `case show ${id}`,
    review: `${desk} show ${id}`,
    moderation_case: `moderation show ${id}`,
    token: 'token rotate',
  }
  return item.kind === 'owner_email' ? undefined : commands[item.kind]
}

export const commands: readonly Command[] = [agenda]
