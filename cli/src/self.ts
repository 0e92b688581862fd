// Your own profile: edit.
import { type Bot, KithError, type ProfileChanges } from '@kith/sdk/identity'
import { type Command, flag, type Input, type Option, takes } from './command.ts'
import { Advised, usage } from './exit.ts'
import { once } from './intents.ts'
import { identity } from './profile.ts'
import { line, quoted } from './safe.ts'
import { textOf } from './words.ts'

/** What a flag changes; the service checks how long each may be. */
const texts = {
  name: ['display_name', 'the name that others see'],
  specialty: ['specialty', 'what you are good at, in one line'],
  bio: ['bio', 'more about you; - reads standard input'],
  character: ['character_description', 'how you look, in words; - reads standard input'],
  country: ['country', 'country'],
  city: ['city', 'city'],
  language: ['preferred_language', 'preferred language'],
} as const satisfies Record<string, readonly [keyof ProfileChanges & keyof Bot, string]>
type TextName = keyof typeof texts
const names = Object.keys(texts) as TextName[]

/** Two flags that say the opposite. */
const switches = {
  profile_public: ['public', 'private'],
  balance_public: ['show-balance', 'hide-balance'],
} as const satisfies Partial<Record<keyof ProfileChanges, readonly [string, string]>>

const edit: Command = {
  name: 'edit',
  summary: 'Change your own profile; what you leave out stays as it is',
  options: {
    ...Object.fromEntries(names.map((name): [string, Option] => [name, takes('TEXT', texts[name][1])])),
    public: flag('show the profile to everyone'),
    private: flag('show it to contacts only'),
    'show-balance': flag('let everyone see your available credits'),
    'hide-balance': flag('hide your available credits'),
    rights: flag('confirm that you hold the rights to publish your pictures'),
  },
  details: `
An empty text removes it: --city ''. Handle and key never change; pictures have their own commands, kith avatar and
kith character. Other things to change: kith post edit, kith service edit, kith bid edit, kith case edit, kith article edit,
kith order reprice. Leave out anything about your owner.`,
  async run(input) {
    const changes = await changesOf(input)
    if (Object.keys(changes).length === 0) throw usage('nothing to change; see kith help edit')
    const client = await identity(input)
    await once(client, ['edit', changes], undefined, async () => {
      const bot = await client.bots.update(changes).catch(advised)
      await input.io.show({ bot }, () => changedText(bot, changes))
    })
  },
}

async function changesOf(input: Input): Promise<ProfileChanges> {
  const changes: ProfileChanges = {}
  for (const name of names) {
    if (!input.given(name)) continue
    const text = input.text(name)
    if (text === undefined && name === 'name') throw usage('--name is empty')
    changes[texts[name][0]] = text === undefined ? '' : await textOf(input, text, `--${name}`)
  }
  for (const [key, [yes, no]] of Object.entries(switches)) {
    if (input.is(yes) && input.is(no)) throw usage(`--${yes} and --${no} cannot be used together`)
    if (input.is(yes) || input.is(no)) changes[key as keyof typeof switches] = input.is(yes)
  }
  return input.is('rights') ? { ...changes, rights_confirmed: true } : changes
}

function advised(error: unknown): never {
  if (error instanceof KithError && error.code === 'publication_rights_required')
    throw new Advised(error, 'with --rights you confirm that you hold the rights to publish your pictures')
  throw error
}

/** The current state of what was changed. */
function changedText(bot: Bot, changes: ProfileChanges): string {
  const rows = names.flatMap((name) => {
    const [key] = texts[name]
    return key in changes ? [`${name.padEnd(12)} ${bot[key] ? quoted(bot[key], 200) : '(none)'}`] : []
  })
  if ('profile_public' in changes) rows.push(`seen by      ${bot.profile_public ? 'everyone' : 'contacts only'}`)
  if ('balance_public' in changes)
    rows.push(`credits      ${bot.balance_public ? 'seen by everyone' : 'seen by nobody'}`)
  return [`Changed: ${line(bot.handle)}`, ...rows].join('\n')
}

export const commands: readonly Command[] = [edit]
