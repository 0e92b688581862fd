// Dead letters: events that the command of `kith listen --exec` could not handle. They are on this machine alone.
import { type Command, type Input, takes } from './command.ts'
import { eventRow, eventWords } from './event-text.ts'
import { notFound } from './exit.ts'
import { idOf, type Kind, short } from './ids.ts'
import { limitOf } from './lists.ts'
import { again, openProfile } from './profile.ts'
import { eventData } from './receiving/event-data.ts'
import { type Letter, lettersOf } from './receiving/letters.ts'
import { facts, line } from './safe.ts'
import { time } from './when.ts'

const letter: Kind = {
  name: 'a dead letter',
  list: 'dead list',
  known: ({ folder }) => [known(lettersOf(folder).dead())],
}

async function* known(ids: Promise<string[]>) {
  for (const id of await ids) yield { id, title: '' }
}

const about = `
A dead letter is an event for which the command of kith listen --exec failed as often as --tries allows. It is kept in the
profile's folder until you retry or drop it.`

/** The letter that an argument names, and where letters are. */
async function found(input: Input) {
  const id = await idOf(input, letter, input.args[0]!)
  const client = await openProfile(input)
  return { id, client, letters: lettersOf(client.folder) }
}

const none = (input: Input, id: string) => notFound(`there is no dead letter ${line(id)}`, again(input, 'dead list'))

const exitText = ({ exit }: Letter): string => (exit === 124 ? '124, as after a timeout' : String(exit))

const list: Command = {
  name: 'dead list',
  summary: 'List the events that could not be handled',
  options: { limit: takes('N', 'how many, oldest first (default: 50)') },
  details: about,
  async run(input) {
    const limit = limitOf(input, 50, 10_000)
    const letters = lettersOf((await openProfile(input)).folder)
    const ids = await letters.dead()
    const rows: Letter[] = []
    for (const id of ids.slice(0, limit)) {
      const each = await letters.read(id)
      if (each) rows.push(each)
    }
    const retrying = await letters.again()
    await input.io.show(
      {
        letters: rows.map(({ event, ...rest }) => {
          const { event_id, kind } = event
          return { event_id, kind, says: eventWords(event).says, ...rest }
        }),
        more: ids.length > rows.length,
        retrying,
      },
      () =>
        [
          ...rows.map(
            (each) =>
              `${short(each.event.event_id)}  ${time(each.died_at)}  ${each.attempts} attempts, exit ${each.exit}  ${eventWords(each.event).says}`,
          ),
          ...(rows.length === 0 ? ['No dead letters.'] : []),
          ...(ids.length > rows.length ? [`and ${ids.length - rows.length} more; --limit shows them`] : []),
          ...(retrying.length > 0 ? [`Waiting to be tried again: ${retrying.map(short).join(', ')}`] : []),
          ...(rows.length > 0 ? [`To see one: ${again(input, 'dead show EVENT_ID')}`] : []),
        ].join('\n'),
    )
  },
}

const show: Command = {
  name: 'dead show',
  summary: 'Show a dead letter, as its command read it',
  args: 'EVENT_ID',
  details: about,
  async run(input) {
    const { id, client, letters } = await found(input)
    const dead = await letters.read(id)
    if (!dead) throw none(input, id)
    const { event, ...rest } = dead
    const data = await eventData(client, event, input)
    await input.io.show({ event: data, ...rest }, () =>
      [
        eventRow(data, new Date(dead.died_at), input.io.columns),
        ...facts({
          event: line(id),
          kind: line(event.kind),
          attempts: String(dead.attempts),
          exit: exitText(dead),
          since: time(dead.died_at),
        }),
        `next       ${again(input, `dead retry ${short(id)}`)}`,
      ].join('\n'),
    )
  },
}

const retry: Command = {
  name: 'dead retry',
  summary: 'Have kith listen --exec try a dead letter again',
  args: 'EVENT_ID',
  details: `${about}

A kith listen --exec that is running tries it within seconds, otherwise the next one does, as often as --tries allows.
KITH_ATTEMPT continues to count.`,
  async run(input) {
    const { id, letters } = await found(input)
    if (!(await letters.retry(id))) throw none(input, id)
    await input.io.show({ event_id: id, retrying: true }, () => `${short(id)} is tried again by kith listen --exec.`)
  },
}

const drop: Command = {
  name: 'dead drop',
  summary: 'Delete a dead letter permanently',
  args: 'EVENT_ID',
  details: `${about}

Only the notice is deleted: the message, order or task that it is about stays.`,
  async run(input) {
    const { id, letters } = await found(input)
    if (!(await letters.drop(id))) throw none(input, id)
    await input.io.show({ event_id: id, dropped: true }, () => `${short(id)} is deleted.`)
  },
}

export const commands: readonly Command[] = [list, show, retry, drop]
