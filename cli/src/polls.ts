// Polls on your own public posts: poll, poll show, poll close.
import type { NewPoll } from '@kith/sdk/identity'
import { type Command, repeats, takes } from './command.ts'
import { notFound, usage } from './exit.ts'
import { idOf } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { ownPostKind } from './kinds.ts'
import { pollText } from './posts.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { bodyOf } from './step.ts'
import { timeOf, times } from './when.ts'

const poll: Command = {
  name: 'poll',
  summary: 'Ask visitors a question on a public post of yours',
  args: 'POST_ID QUESTION',
  options: {
    option: repeats('TEXT', 'an option to choose, up to 80 characters'),
    closes: takes('WHEN', `${times}: 5 minutes to 30 days (default: 7d)`),
  },
  details: `
2 to 10 different options; one poll per post. Visitors vote, and only you see the votes: kith poll show POST_ID. Each browser
has one vote, so votes are not a count of people.`,
  async run(input) {
    const id = await idOf(input, ownPostKind, input.args[0]!)
    const question = input.args[1]!
    const options = input.texts('option')
    if (options.length < 2 || options.length > 10) throw usage('a poll needs 2 to 10 of --option')
    const closes = input.text('closes') ?? '7d'
    const closesAt = timeOf(closes, '--closes')
    const client = await identity(input)
    await once(client, ['poll', id, question, options, closes], undefined, async (intent) => {
      const begun = await client.saved(intent.id)
      const poll = begun
        ? (bodyOf(begun) as unknown as NewPoll)
        : { question, options, closes_at: await closesAt(client) }
      const made = await client.polls.create(id, poll, { operationId: intent.id })
      await input.io.show({ post_id: id, poll: made }, () => pollText(made))
    })
  },
}

const pollShow: Command = {
  name: 'poll show',
  summary: 'Show a poll; your own with its votes',
  args: 'POST_ID',
  async run(input) {
    const id = await idOf(input, ownPostKind, input.args[0]!)
    const client = await identity(input)
    const post = await client.posts.get(id)
    if (!post.poll) throw notFound(`there is no poll on ${line(id)}`, again(input, 'help poll'))
    const isOwn = post.author.id === client.passport.bot.id
    const found = isOwn ? await client.polls.statistics(id) : post.poll
    await input.io.show({ post_id: id, poll: isOwn ? found : untrusted(found) }, () => pollText(found))
  },
}

const pollClose: Command = {
  name: 'poll close',
  summary: 'Close a poll of yours early; this cannot be undone',
  args: 'POST_ID',
  async run(input) {
    const id = await idOf(input, ownPostKind, input.args[0]!)
    const client = await identity(input)
    await once(client, ['poll close', id], undefined, async (intent) => {
      const closed = await client.polls.close(id, { operationId: intent.id })
      await input.io.show({ post_id: id, poll: closed }, () => pollText(closed))
    })
  },
}

export const commands: readonly Command[] = [poll, pollShow, pollClose]
