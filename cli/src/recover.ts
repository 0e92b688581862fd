// kith recover: a new token through the owner's verified email. The private key comes back from nowhere.
import { type FolderStore, KithError, openRecovery, type Recovery, readJson } from '@kith/sdk/identity'
import {
  codeIn,
  givenCode,
  isExpired,
  type Moment,
  need,
  patiently,
  thisMoment,
  triesLeft,
  wrongCode,
} from './codes.ts'
import { type Command, flag, type Input, takes } from './command.ts'
import { Advised, Ended, exit, usage } from './exit.ts'
import { again, inFolder, readPassport } from './profile.ts'
import { line } from './safe.ts'

/** `cli-recover.json`: who is recovered, and where, until the code comes. */
interface Plan {
  url: string
  handle: string
  email: string
  expires_at?: string
  /** When the code was asked for. */
  asked?: Moment
}

const planFile = 'cli-recover.json'

const recover: Command = {
  name: 'recover',
  summary: "Get a new token through the owner's email when the old one is lost",
  options: {
    email: takes('ADDRESS', "the owner's verified email", { env: 'KITH_EMAIL' }),
    code: takes('CODE', 'the six digits from the email; - reads standard input', { env: 'KITH_CODE', secret: true }),
    handle: takes('HANDLE', 'the agent, if the profile does not know it'),
    url: takes('URL', 'the service, if the profile does not know it', { env: 'KITH_URL' }),
    'new-code': flag('send another email'),
    wait: takes('SECONDS', 'how long to wait when the service asks for a pause (default: 60)'),
  },
  details: `
The operator must have recovery switched on. Without a terminal it takes two steps: kith recover --email ADDRESS, then
kith recover --code CODE. The new token revokes all earlier ones. The private key is never recovered: without the one in
the profile's folder, neither old nor new messages can be opened.`,
  run: (input) => inFolder(input.profile, (folder) => recoverIn(input, folder)),
}

async function recoverIn(input: Input, folder: FolderStore): Promise<void> {
  const { io } = input
  const saved = await readJson<Plan>(folder, planFile)
  const plan = await planned(input, folder, saved)
  const recovery = openRecovery({ baseUrl: plan.url, store: folder })
  const standing = plan.expires_at !== undefined && !isExpired(plan.asked, plan.expires_at)
  const code = await givenCode(input)
  if (code === undefined && (!standing || input.is('new-code'))) {
    const { handle, email } = plan
    const request = async () => {
      plan.asked = thisMoment()
      plan.expires_at = (await recovery.request({ handle, email }).catch(notOffered)).expires_at
    }
    await patiently(input, request, {})
    await folder.write(planFile, `${JSON.stringify(plan, undefined, 2)}\n`)
  }
  if (code === undefined && !io.interactive) return waiting(input, plan)
  input.goOn('recover')
  const { token_expires_at } = await verified(input, recovery, plan, code)
  const key = (await folder.read('key')) !== undefined
  await folder.remove(planFile)
  await io.show(
    { state: 'recovered', profile: input.profile, handle: plan.handle, token_expires_at, private_key: key },
    () =>
      [
        `${line(plan.handle)} has access again, until ${line(token_expires_at)}; all earlier tokens are revoked.`,
        ...(key
          ? []
          : ['This folder has no private key: messages cannot be opened or sent. Restore it from your backup.']),
      ].join('\n'),
  )
}

/** The service answers alike for every agent, so a 404 is about recovery itself: its operator keeps it off. */
function notOffered(error: unknown): never {
  if (!(error instanceof KithError) || error.code !== 'not_found') throw error
  const message = 'this server does not offer recovery: a lost token cannot be replaced here'
  throw new Ended(exit.refused, 'not_found', message, 'its operator can turn recovery on, with the setting RECOVERY')
}

/** The token for the right code; at a terminal a wrong one is asked for again, as long as a try is left. */
async function verified(input: Input, recovery: Recovery, { email }: Plan, given: string | undefined) {
  const { io } = input
  for (let code = given; ; code = undefined) {
    code ??= codeIn(await io.ask(`Code from the email to ${line(email)}: `))
    try {
      if (/^\d{6}$/.test(code)) return await recovery.verify(code)
      if (!io.interactive) throw usage('a code has six digits')
      io.note('A code has six digits.')
    } catch (error) {
      if (!(error instanceof KithError) || error.code !== 'invalid_email_verification') throw error
      const { attemptsLeft: left } = error
      const another = again(input, 'recover --new-code')
      if (left && io.interactive) io.note(wrongCode(left, another))
      else if (left) throw new Advised(error, `${triesLeft(left)}: ${again(input, 'recover --code CODE')}`)
      else throw new Advised(error, `${triesLeft(left)}; another email: ${another}`)
    }
  }
}

async function planned(input: Input, folder: FolderStore, saved: Plan | undefined): Promise<Plan> {
  const { io } = input
  const passport = await readPassport(folder)
  const code = input.text('code') !== undefined
  if (code && !saved)
    throw new Ended(exit.usage, 'usage', 'no code has been requested here', again(input, 'recover --email ADDRESS'))
  if (code) return saved!
  const names = ['url', 'handle', 'email'] as const
  // An environment variable that happens to be set is no request to change anything.
  const given = (name: (typeof names)[number]) =>
    input.given(name) ? input.text(name) : (saved?.[name] ?? input.text(name))
  const wanted = {
    url: await need(io, 'url', 'Address of the service: ', passport?.base_url ?? given('url')),
    handle: await need(io, 'handle', 'Handle: ', passport?.bot.handle ?? given('handle')),
    email: await need(io, 'email', "The owner's verified email: ", given('email')),
  }
  const plain = (text: string) => text.trim().toLowerCase()
  return saved && names.every((name) => plain(saved[name]) === plain(wanted[name])) ? saved : wanted
}

async function waiting(input: Input, plan: Plan): Promise<void> {
  const next = again(input, 'recover --code CODE')
  await input.io.show(
    {
      state: 'waiting_for_code',
      profile: input.profile,
      service: plan.url,
      handle: plan.handle,
      email: plan.email,
      expires_at: plan.expires_at,
      next,
    },
    () =>
      `If ${line(plan.email)} is the verified email of ${line(plan.handle)}, a code is on its way. Then:\n  ${next}`,
  )
}

export const commands: readonly Command[] = [recover]
