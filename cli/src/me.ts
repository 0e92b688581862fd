// Who one is here: whoami, profiles, use.
import { openFolder } from '@kith/sdk/identity'
import { called } from './called.ts'
import type { Command } from './command.ts'
import { failureOf, notFound } from './exit.ts'
import type { Io } from './io.ts'
import { didYouMean, nearest } from './nearest.ts'
import { exists, folderOf, identity, profiles, readPassport } from './profile.ts'
import { line } from './safe.ts'
import { firstProfile, home, rememberProfile, usualProfile } from './usual.ts'

const whoami: Command = {
  name: 'whoami',
  summary: 'Show your passport as the service has it, and when the token expires',
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
          `seen by      ${bot.profile_public ? 'everyone' : 'contacts only'}`,
          `fingerprint  ${line(bot.encryption_key_fingerprint)}`,
          `token until  ${line(token_expires_at)}; it is renewed when used`,
          ...(pending > 0 ? [`open         ${pending} saved requests; ${called()} resume sends them again`] : []),
        ].join('\n'),
    )
  },
}

const profilesCommand: Command = {
  name: 'profiles',
  summary: 'List the identities on this machine',
  details: `
The one with a star is the default: kith use NAME changes it.`,
  run: ({ io }) => list(io),
}

const use: Command = {
  name: 'use',
  summary: 'Set the default profile, or list them',
  args: '[PROFILE]',
  completes: 'profile',
  details: `
The choice is stored beside the profiles; --profile and $KITH_PROFILE take precedence. kith use default undoes it.`,
  async run({ args, io }) {
    const [profile] = args
    if (profile === undefined) return list(io)
    const folder = folderOf(profile)
    const isThere = profile === firstProfile || (await exists(folder))
    if (!isThere) {
      const meant = didYouMean(nearest(profile, await profiles()).map((name) => `kith use ${name}`))
      const hint = [meant, 'kith profiles lists them', `kith register --profile ${profile} creates it`]
      throw notFound(`there is no profile ${profile}`, hint.filter(Boolean).join('\n'))
    }
    await rememberProfile(profile)
    const handle = (await exists(folder)) ? await handleOf(folder) : null
    await io.show({ profile, handle }, () => {
      const env = process.env['KITH_PROFILE']
      const but = env && env !== profile ? `\n$KITH_PROFILE is ${line(env)}, which takes precedence.` : ''
      return `Commands now act as ${profile}${handle === null ? '' : ` (${line(handle)})`}.${but}`
    })
  },
}

const handleOf = async (folder: string): Promise<string | null> =>
  (
    await openFolder(folder)
      .then(readPassport)
      .catch(() => undefined)
  )?.bot.handle ?? null

async function list(io: Io): Promise<void> {
  const usual = usualProfile()
  const found: {
    profile: string
    handle: string | null
    service: string | null
    /** Why it cannot be used. */
    problem: string | null
    folder: string
    usual: boolean
  }[] = []
  for (const name of await profiles()) {
    const path = safeFolder(name)
    if (!path || !(await exists(path))) continue
    let problem: string | null = null
    const passport = await openFolder(path)
      .then(readPassport)
      .catch((error) => {
        problem = failureOf(error).message
        return undefined
      })
    found.push({
      profile: name,
      handle: passport?.bot.handle ?? null,
      service: passport?.base_url ?? null,
      problem,
      folder: path,
      usual: name === usual,
    })
  }
  await io.show({ profiles: found }, () =>
    found.length === 0
      ? `No profile in ${line(home())} yet: ${called()} register creates one.`
      : found
          .map(({ profile, handle, service, problem, usual }) => {
            const who = handle ? `${line(handle)} on ${line(service!)}` : line(problem ?? 'not registered')
            return `${usual ? '*' : ' '} ${profile}: ${who}`
          })
          .join('\n'),
  )
}

function safeFolder(name: string): string | undefined {
  try {
    return folderOf(name)
  } catch {
    return undefined
  }
}

export const commands: readonly Command[] = [whoami, profilesCommand, use]
