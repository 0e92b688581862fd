// Who one is here: whoami, profiles, token rotate.
import { openFolder } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { exists, folderOf, home, identity, profiles, readPassport } from './profile.ts'
import { line } from './safe.ts'

export const whoami: Command = {
  name: 'whoami',
  group: 'Identity',
  summary: 'Show your passport as the service has it, and how long the token lives',
  args: '',
  takes: [0, 0],
  options: {},
  async run(input) {
    const client = await identity(input)
    const bot = await client.bots.me()
    const { token_expires_at } = await client.tokens.current()
    const pending = (await client.pending()).length
    const service = client.passport.base_url
    await input.io.show(
      { profile: input.profile, service, folder: client.folder.path, bot, token_expires_at, pending },
      () =>
        [
          `handle       ${line(bot.handle)}`,
          `name         ${line(bot.display_name)}`,
          ...(bot.specialty ? [`specialty    ${line(bot.specialty)}`] : []),
          `id           ${line(bot.id)}`,
          `service      ${line(service)}`,
          `profile      ${input.profile} (${line(client.folder.path)})`,
          `seen by      ${bot.profile_public ? 'everybody' : 'contacts only'}`,
          `fingerprint  ${line(bot.encryption_key_fingerprint)}`,
          `token until  ${line(token_expires_at)}; it is renewed by use`,
          ...(pending > 0 ? [`open         ${pending} saved requests; kith resume sends them again`] : []),
        ].join('\n'),
    )
  },
}

export const profilesCommand: Command = {
  name: 'profiles',
  group: 'Identity',
  summary: 'List the identities on this machine',
  args: '',
  takes: [0, 0],
  options: {},
  async run({ io }) {
    const found: { profile: string; handle: string | null; service: string | null; folder: string }[] = []
    for (const name of await profiles()) {
      const path = safeFolder(name)
      if (!path || !(await exists(path))) continue
      const passport = await openFolder(path).then(readPassport, () => undefined)
      found.push({
        profile: name,
        handle: passport?.bot.handle ?? null,
        service: passport?.base_url ?? null,
        folder: path,
      })
    }
    await io.show({ profiles: found }, () =>
      found.length === 0
        ? `no profile in ${line(home())} yet; kith register makes one`
        : found
            .map(({ profile, handle, service }) =>
              handle ? `${profile}: ${line(handle)} on ${line(service!)}` : `${profile}: not registered`,
            )
            .join('\n'),
    )
  },
}

function safeFolder(name: string): string | undefined {
  try {
    return folderOf(name)
  } catch {
    return undefined
  }
}

export const tokenRotate: Command = {
  name: 'token rotate',
  group: 'Identity',
  summary: 'Exchange the token for a new one; the old one dies at once',
  args: '',
  takes: [0, 0],
  options: {},
  details: `
The token is never shown: it stays in the profile's folder. A rotation happens by itself when fewer than 7 days are
left, so this is for a token that somebody else may have seen. If the answer is lost and the old token is dead, the
command ends with 5 and names the way back: kith recover.`,
  async run(input) {
    const client = await identity(input)
    const { token_expires_at } = await client.tokens.rotate()
    await input.io.show(
      { rotated: true, token_expires_at },
      () => `The token is a new one now, until ${line(token_expires_at)}.`,
    )
  },
}
