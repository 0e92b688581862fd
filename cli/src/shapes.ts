// What most commands are: a list, a show, a make or a change. What differs between them is data.
import type { FolderClient } from '@kith/sdk/identity'
import { type Command, type Input, takes } from './command.ts'
import { idOf, type Kind, short, withId } from './ids.ts'
import { type Intent, once } from './intents.ts'
import { untrusted } from './json.ts'
import { limitOf, upTo } from './lists.ts'
import { ownIdOf } from './lookup.ts'
import { again, identity } from './profile.ts'
import { bodyOf, keyOf, ownId, type Step, type Subject, stepOptions, takeStep, type Versioned } from './step.ts'

type Named = Pick<Command, 'name' | 'summary' | 'args' | 'options' | 'details'>

const named = ({ name, summary, args = '', options = {}, details = '' }: Named) => ({
  name,
  summary,
  args,
  options,
  details,
})

export interface Listing<T, F, X extends object> extends Named {
  /** Its key in JSON. */
  key: string
  /** How many by default, and at most. */
  limit?: readonly [usual: number, most: number]
  /** How they are sorted, as the help says it. */
  sorted?: string
  /** What the command line says, checked before anything is read. */
  filter?(input: Input): F | Promise<F>
  list(client: FolderClient, filter: F, pageSize: number): AsyncIterable<T>
  rows(found: readonly T[], client: FolderClient, input: Input): string[] | Promise<string[]>
  /** What an empty list says. */
  none(input: Input, filter: F): string
  /** What is said beside them, however many there are: JSON, and rows below the list. */
  beside?(client: FolderClient, input: Input): Promise<{ data: object; rows: readonly string[] }>
  /** The command that shows one of them. */
  see?: string
  /** What is shown of one of them, where its ID is given instead. */
  one?: Shown<X>
}

export function listing<T, F = undefined, X extends object = never>(ask: Listing<T, F, X>): Command {
  const { key, sorted = ', newest first', see, one } = ask
  const [usual, most] = ask.limit ?? [50, 10_000]
  return {
    ...named(ask),
    options: { ...ask.options, limit: takes('N', `how many${sorted} (default: ${usual})`) },
    async run(input) {
      const id = one && input.args[0] !== undefined ? await idOf(input, one.kind, input.args[0]) : undefined
      const limit = limitOf(input, usual, most)
      const filter = (await ask.filter?.(input)) as F
      const client = await identity(input)
      if (one && id !== undefined) return show(input, client, id, one)
      const found = await upTo(limit, ask.list(client, filter, Math.min(limit, 50)))
      const rows = input.io.json || found.length === 0 ? [] : await ask.rows(found, client, input)
      if (see) rows.push(`To see one: ${again(input, see)}`)
      const beside = await ask.beside?.(client, input)
      const text = () =>
        [...(found.length === 0 ? [ask.none(input, filter)] : rows), ...(beside?.rows ?? [])].join('\n')
      await input.io.show({ [key]: untrusted(found), ...beside?.data }, text)
    },
  }
}

/** How one thing is shown. */
export interface Shown<X extends object> {
  kind: Kind
  read(client: FolderClient, id: string, input: Input): Promise<X>
  /** What of it is JSON, with the words of others marked; all of it unless this says otherwise. */
  data?(found: X, client: FolderClient): object
  text(found: X, client: FolderClient, input: Input): string[] | Promise<string[]>
}

export const showing = <X extends object>(ask: Named & Shown<X>): Command => ({
  ...named(ask),
  async run(input) {
    await withId(input, ask.kind, input.args[0]!, async (id) => show(input, await identity(input), id, ask))
  },
})

async function show<X extends object>(input: Input, client: FolderClient, id: string, ask: Shown<X>): Promise<void> {
  const { read, data = (all) => untrusted(all) as object, text } = ask
  const found = await read(client, id, input)
  const rows = input.io.json ? [] : await text(found, client, input)
  await input.io.show(data(found, client), () => rows.join('\n'))
}

/** What has versions, with rows below it, such as what may be done next. */
export function whole<T extends Versioned>(
  subject: Subject<T>,
  below: (thing: T, client: FolderClient, input: Input) => string[] | Promise<string[]> = () => [],
): Pick<Shown<Record<string, T>>, 'read' | 'text'> {
  const key = keyOf(subject)
  return {
    read: async (client, id) => ({ [key]: await subject.read(client, id) }),
    async text({ [key]: thing }, client, input) {
      const text = await subject.text(client, thing!, input.io.columns)
      return [text, ...(await below(thing!, client, input))]
    },
  }
}

export interface Making<B, T extends { id: string }> {
  /** What tells this intent from others. */
  content: readonly unknown[]
  /** Its key in JSON. */
  key: string
  /** What the command line says of it: a repetition under the caller's own ID has to say the same. */
  given?: object
  /** What else is sent, once it is agreed to: a repetition sends again what was sent first. */
  body?(client: FolderClient, intent: Intent): object | Promise<object>
  send(client: FolderClient, body: B, options: { operationId: string }): Promise<{ id: string }>
  /** As it is now, if it can be read: the answer to a repetition may be an old one. */
  read?(client: FolderClient, id: string): Promise<T>
  says(thing: T, id: string): string[] | Promise<string[]>
}

/** Make a thing once, however often the command is repeated. */
export async function make<B, T extends { id: string }>(
  input: Input,
  client: FolderClient,
  { content, key, given, body, send, read, says }: Making<B, T>,
): Promise<void> {
  await once(client, content, ownIdOf(input), async (intent) => {
    const begun = await client.saved(intent.id)
    const whole = begun ? { ...bodyOf(begun), ...given } : { ...given, ...(await body?.(client, intent)) }
    const made = (await send(client, whole as B, { operationId: intent.id })) as T
    const thing = begun && read ? await read(client, made.id) : made
    const rows = input.io.json ? [] : await says(thing, short(thing.id))
    await input.io.show({ [key]: untrusted(thing) }, () => rows.join('\n'))
  })
}

type Said<T, A> = Omit<Step<T, A>, 'id' | 'content' | 'own'> & {
  /** What the command line says, besides which thing it is about: the same again is the same intent. */
  said?: readonly unknown[]
}

export interface Changing<T extends Versioned, A> extends Named {
  args: string
  kind: Kind
  subject: Subject<T>
  /** What it makes besides, which may have an id of the caller's own. */
  makes?: string
  step(id: string, input: Input): Said<T, A> | Promise<Said<T, A>>
}

export function changing<T extends Versioned, A = T>(ask: Changing<T, A>): Command {
  const { kind, subject, makes, step } = ask
  return {
    ...named(ask),
    options: { ...ask.options, ...stepOptions, ...(makes && { id: ownId(makes) }) },
    async run(input) {
      await withId(input, kind, input.args[0]!, async (id) => {
        const { said = [], ...rest } = await step(id, input)
        const content = [ask.name, id, ...said]
        const own = makes === undefined ? undefined : ownIdOf(input)
        await takeStep<T, A>(input, subject, { of: (answer) => answer as unknown as T, ...rest, id, content, own })
      })
    },
  }
}
