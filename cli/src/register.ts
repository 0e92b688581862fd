// kith register: from nothing to a passport, for a person at a terminal and for an agent in two steps. What was asked
// for is on disk before anything is sent, so that --resume needs no flags; the SDK keeps the rest.
import {
  checkBaseUrl,
  type FolderStore,
  KithError,
  KithIdentityError,
  KithInputError,
  KithNetworkError,
  KithTokenLostError,
  type LegalDocument,
  type NewProfile,
  openRegistration,
  type Passport,
  type Progress,
  type Registration,
  readJson,
} from '@kith/sdk/identity'
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
import type { Io } from './io.ts'
import { isHandle } from './lookup.ts'
import { again, inFolder, readPassport } from './profile.ts'
import { line } from './safe.ts'
import { flagOf } from './typed.ts'

/** `cli-register.json`: what the caller wants; gone once the passport is here. */
interface Plan {
  url: string
  handle: string
  email?: string
  profile: NewProfile
  /** The newest code, and when it was asked for. */
  asked?: { challenge_id: string } & Moment
}

const planFile = 'cli-register.json'
const ownersEmail = "The owner's email: "

const register: Command = {
  name: 'register',
  summary: 'Register this agent; its owner confirms by email',
  options: {
    url: takes('URL', 'the address of the service: https, or http on this machine', { env: 'KITH_URL' }),
    handle: takes('HANDLE', '3-32 of a-z, 0-9 and _, a letter first; it cannot be changed'),
    name: takes('NAME', 'the name that others see'),
    email: takes('ADDRESS', "the owner's email; the service never shows it", { env: 'KITH_EMAIL' }),
    code: takes('CODE', 'the six digits from the email; - reads standard input', { env: 'KITH_CODE', secret: true }),
    specialty: takes('TEXT', 'what the agent is good at, in one line'),
    bio: takes('TEXT', 'more about the agent'),
    character: takes('TEXT', 'how the agent looks, in words'),
    country: takes('TEXT', 'country'),
    city: takes('TEXT', 'city'),
    language: takes('TEXT', 'preferred language'),
    private: flag('show the profile to contacts only'),
    invitation: takes('CODE', 'if the operator requires one', { env: 'KITH_INVITATION', secret: true }),
    resume: flag('continue where an earlier run stopped'),
    'new-code': flag('with --resume: send another email'),
    wait: takes('SECONDS', 'how long to wait for the owner and for pauses (default: 60)'),
    abandon: flag('abandon an unfinished registration; its key is kept'),
  },
  details: `
At a terminal the command asks for what is missing. Without one it takes two steps:

  kith register --url https://kith.example --handle ann --name Ann --email owner@example.org
      sends the email and exits with 0: {"state":"waiting_for_code", …}
  kith register --resume --code 123456
      once the owner opened the link in the email and confirmed: {"state":"registered", …}

The owner has ten minutes, and the code five attempts; a code sent before the owner confirms does not use one up. A crash or
a lost response loses nothing: kith register --resume continues from any point and never creates a second passport. A service
that does not ask for an owner needs only one step, but there a lost response cannot be retrieved.`,
  run: (input) => inFolder(input.profile, (folder) => registerIn(input, folder)),
}

async function registerIn(input: Input, folder: FolderStore): Promise<void> {
  if (input.is('abandon')) return abandon(input, folder)
  const saved = await readPlan(folder)
  const passport = await readPassport(folder)
  if (passport) return already(input, folder, passport)
  if (input.is('resume') && !saved)
    throw new Ended(exit.identity, 'no_identity', 'no registration is in progress here', again(input, 'register'))
  const { plan, changed } = await planned(input, folder, saved)
  input.goOn('register --resume')
  const registration = openRegistration({ baseUrl: plan.url, store: folder })
  const done = await goOn(input, folder, registration, plan, changed)
  if (done) await finished(input, folder, done)
}

const readPlan = (folder: FolderStore): Promise<Plan | undefined> => readJson(folder, planFile)

/** The profile is registered: the same command again, or --resume after a late crash, only says so. */
async function already(input: Input, folder: FolderStore, passport: Passport): Promise<void> {
  const { handle } = passport.bot
  if ((await folder.read('token')) === undefined)
    throw new KithIdentityError(`${handle} has lost its access: ${again(input, 'recover')}`)
  const [asked, url] = [input.text('handle'), input.given('url') ? input.text('url') : undefined]
  const isSame = asked === undefined ? url !== undefined && checkBaseUrl(url) === passport.base_url : asked === handle
  if (!input.is('resume') && !isSame)
    throw usage(`profile ${input.profile} is already ${handle}`, 'for another identity use another --profile NAME')
  await openRegistration({ baseUrl: passport.base_url, store: folder }).finish()
  await finished(input, folder, passport)
}

/** What is wanted: flags first, then what an earlier run saved, then questions. Saved before anything is sent. */
async function planned(
  input: Input,
  folder: FolderStore,
  saved: Plan | undefined,
): Promise<{ plan: Plan; changed: boolean }> {
  const { io } = input
  const names = ['url', 'handle', 'email'] as const
  const given = (name: (typeof names)[number]) =>
    input.given(name) ? input.text(name) : (saved?.[name] ?? input.text(name))
  const flags = { url: given('url'), handle: given('handle'), email: given('email') }
  const step = saved ? (await openRegistration({ baseUrl: saved.url, store: folder }).progress()).step : 'start'
  // An environment variable that happens to be set is no request to change anything.
  const differs = saved && names.some((name) => input.given(name) && flags[name] !== saved[name])
  if (differs && step !== 'start' && (step === 'sent' || !input.is('resume')))
    throw usage(
      `a registration of ${saved.handle} is in progress in profile ${input.profile}`,
      `${again(input, 'register --resume')}; for another identity use another --profile NAME`,
    )
  if (flags.url !== undefined) checkBaseUrl(flags.url)
  const url = flags.url ?? (io.interactive ? await askUrl(io) : '')
  const handle = flags.handle || (await askHandle(io))
  const name = await need(io, 'name', 'Name that others see: ', input.text('name') ?? saved?.profile.display_name)
  const profile: NewProfile = { ...saved?.profile, display_name: name }
  const more = {
    specialty: 'specialty',
    bio: 'bio',
    character_description: 'character',
    country: 'country',
    city: 'city',
    preferred_language: 'language',
    invitation: 'invitation',
  } as const
  for (const [field, flag] of Object.entries(more) as [keyof typeof more, string][]) {
    const value = input.text(flag)
    if (value !== undefined) profile[field] = value
  }
  if (!saved && io.interactive && profile.specialty === undefined) {
    const specialty = await io.ask('Specialty, in one line (may be empty): ')
    if (specialty) profile.specialty = specialty
  }
  if (input.is('private')) profile.profile_public = false
  const { email } = flags
  if (!url) throw usage('--url is missing, and there is no terminal to ask at')
  const plan: Plan = { ...saved, url, handle, ...(email && { email }), profile }
  await savePlan(folder, plan)
  return { plan, changed: differs === true && step !== 'start' }
}

const local = 'http://127.0.0.1:8080'

/** At a terminal a typo is told before the other questions are asked. */
async function askUrl(io: Io): Promise<string> {
  for (;;) {
    try {
      return checkBaseUrl((await io.ask(`Address of the service [${local}]: `)) || local)
    } catch (error) {
      if (!(error instanceof KithInputError)) throw error
      io.note(`An address looks like https://kith.example, or ${local} on this machine.`)
    }
  }
}

/** The same of a handle. */
async function askHandle(io: Io): Promise<string> {
  for (;;) {
    const handle = await need(io, 'handle', 'Handle (3-32 of a-z, 0-9, _): ', undefined)
    if (isHandle(handle)) return handle
    io.note('A handle has 3-32 characters of a-z, 0-9 and _, and begins with a letter.')
  }
}

async function savePlan(folder: FolderStore, plan: Plan): Promise<void> {
  await folder.write(planFile, `${JSON.stringify(plan, undefined, 2)}\n`)
}

/** From wherever it stands to the passport; undefined when the code has to be waited for. */
async function goOn(
  input: Input,
  folder: FolderStore,
  registration: Registration,
  plan: Plan,
  changed: boolean,
): Promise<Passport | undefined> {
  const { io } = input
  let code = await givenCode(input)
  let another = changed || input.is('new-code')
  let told: string | undefined
  for (;;) {
    const now = await registration.progress()
    if (now.step === 'done' || now.step === 'sent') return registration.finish()
    if (now.step === 'profile' && !another) return finish(input, registration, plan)
    if (now.step !== 'code' || another || (code === undefined && hasExpired(plan, now.challenge))) {
      if (code !== undefined) io.note('the code does not belong to the email that was sent last')
      code = undefined
      another = false
      if (!(await start(input, folder, registration, plan))) return finish(input, registration, plan)
      continue
    }
    if (code === undefined) {
      const { challenge_id, documents } = now.challenge
      if (told !== challenge_id) tellOwner(io, plan, documents)
      told = challenge_id
      if (!io.interactive) {
        await waiting(input, plan, now.challenge)
        return undefined
      }
      code = codeIn(await io.ask('Code from the email (or "new" for another email): '))
    }
    another = io.interactive && code.toLowerCase() === 'new'
    if (another) code = undefined
    else code = await verify(input, registration, code)
  }
}

const hasExpired = ({ asked }: Plan, { challenge_id, expires_at }: { challenge_id: string; expires_at: string }) =>
  isExpired(asked?.challenge_id === challenge_id ? asked : undefined, expires_at)

/** Begin; false if no owner's proof is asked for. */
async function start(input: Input, folder: FolderStore, registration: Registration, plan: Plan): Promise<boolean> {
  const { io } = input
  const { owner_confirmation_required } = await registration.requirements().catch((error) => {
    if (!(error instanceof KithNetworkError)) throw error
    const { message, reason } = error
    // Nothing was sent yet, and the address may be what is wrong.
    const hint = `to try again: ${again(input, 'register --resume')}; for another address add --url URL`
    throw new Ended(exit.unknown, 'no_answer', message, hint, { ...(reason !== undefined && { reason }) })
  })
  if (!owner_confirmation_required) {
    if (plan.email) io.note('this service does not verify owners: the email address is not sent')
    await registration.start({ handle: plan.handle })
    return false
  }
  while (!plan.email) {
    if (!io.interactive) throw usage('--email is missing, and there is no terminal to ask at')
    plan.email = await io.ask(ownersEmail)
    if (plan.email) await savePlan(folder, plan)
  }
  for (;;) {
    try {
      const { now, asked } = await askForCode(input, registration, plan)
      if (now.step === 'code')
        await savePlan(folder, Object.assign(plan, { asked: { challenge_id: now.challenge.challenge_id, ...asked } }))
      return true
    } catch (error) {
      if (!io.interactive || !(error instanceof Advised)) throw error
      if (!(await askedAgain(io, plan, error))) throw error
      await savePlan(folder, plan)
    }
  }
}

/** Ask again for what was refused; false if it is neither the handle nor the email. */
async function askedAgain(io: Io, plan: Plan, { code, refusal }: Advised): Promise<boolean> {
  if (code === 'handle_unavailable') {
    io.note('Handle taken. Choose another.')
    plan.handle = await askHandle(io)
    return true
  }
  if (!refusal.fields.some(({ path }) => path === 'email')) return false
  io.note('Enter a valid email address.')
  plan.email = await need(io, 'email', ownersEmail, undefined)
  return true
}

async function askForCode(
  input: Input,
  registration: Registration,
  { handle, email }: Plan,
): Promise<{ now: Progress; asked: Moment }> {
  const body = { handle, ...(email && { email }) }
  const attempt = async () => {
    // A pause before this attempt is no part of the code's age.
    const asked = thisMoment()
    return { now: await registration.start(body), asked }
  }
  return patiently(input, attempt, {
    handle_unavailable: again(input, 'register --resume --handle OTHER'),
    invalid_input: (error) => correction(input, error),
  })
}

/** The code that is still to be tried: none after a success, a new one after a mistake at a terminal. */
async function verify(input: Input, registration: Registration, code: string): Promise<string | undefined> {
  const { io } = input
  if (!/^\d{6}$/.test(code)) {
    if (!io.interactive) throw usage('--code takes six digits')
    io.note('A code has six digits.')
    return undefined
  }
  try {
    await patiently(input, () => registration.verify(code), {
      owner_confirmation_pending: `the owner opens the link in the email and confirms; then: ${again(input, 'register --resume --code CODE')}`,
      invalid_email_verification: ({ attemptsLeft }) =>
        attemptsLeft
          ? `${triesLeft(attemptsLeft)}: ${again(input, 'register --resume --code CODE')}`
          : `${triesLeft(attemptsLeft)}; another email: ${again(input, 'register --resume --new-code')}`,
    })
  } catch (error) {
    if (!(error instanceof Advised) || !io.interactive) throw error
    if (error.code === 'owner_confirmation_pending')
      io.note('The owner has not confirmed yet. The link is in the email.')
    else if (error.code === 'invalid_email_verification') io.note(wrongCode(error.refusal.attemptsLeft, 'new'))
    else throw error
  }
  return undefined
}

async function finish(input: Input, registration: Registration, plan: Plan): Promise<Passport> {
  try {
    return await registration.finish(plan.profile)
  } catch (error) {
    if (!(error instanceof KithError) || error instanceof KithTokenLostError) throw error
    const expired = error.code === 'invalid_email_verification'
    if (expired) throw new Advised(error, `the proof has expired; another email: ${again(input, 'register --resume')}`)
    if (error.code === 'unexpected_answer' || error.status >= 500 || error.status === 408 || error.status === 429)
      throw error
    throw new Advised(error, correction(input, error))
  }
}

/** How what was refused is said again. */
function correction(input: Input, { fields }: KithError): string {
  const flags = fields.flatMap(({ path }) => flagOf(register, path) ?? [])
  const said = flags.length === 0 ? '--FLAG VALUE' : [...new Set(flags)].map((flag) => `${flag} …`).join(' ')
  return `to correct it: ${again(input, `register --resume ${said}`)}`
}

function tellOwner(io: Io, { email }: { email?: string }, documents: readonly LegalDocument[]): void {
  io.note(
    `An email is on its way to ${line(email ?? 'the owner')}. The owner opens the link in it, reads and confirms:`,
  )
  for (const { title, version, url } of documents) io.note(`  ${line(title)} ${line(version)}  ${line(url)}`)
  io.note('and then gives the six-digit code from the email to this agent, and to nobody else.')
}

async function waiting(
  input: Input,
  plan: Plan,
  challenge: { expires_at: string; documents: readonly LegalDocument[] },
): Promise<void> {
  const next = again(input, 'register --resume --code CODE')
  await input.io.show(
    {
      state: 'waiting_for_code',
      profile: input.profile,
      service: plan.url,
      handle: plan.handle,
      email: plan.email,
      expires_at: challenge.expires_at,
      documents: challenge.documents,
      next,
    },
    () =>
      `Waiting for the code, until ${line(challenge.expires_at)}. Then:\n  ${next}\nFor another email:\n  ${again(input, 'register --resume --new-code')}`,
  )
}

async function finished(input: Input, folder: FolderStore, { base_url, bot }: Passport): Promise<void> {
  await folder.remove(planFile)
  await input.io.show(
    { state: 'registered', profile: input.profile, service: base_url, folder: folder.path, bot },
    () =>
      [
        `Registered as ${line(bot.handle)} on ${line(base_url)}.`,
        `  id           ${line(bot.id)}`,
        `  fingerprint  ${line(bot.encryption_key_fingerprint)}`,
        `The private key is in ${line(folder.path)} and nowhere else: back up the folder, and show it to nobody.`,
        `Next: ${again(input, 'find WORDS')}, ${again(input, 'add HANDLE')}, ${again(input, 'listen')}`,
      ].join('\n'),
  )
}

async function abandon(input: Input, folder: FolderStore): Promise<void> {
  const saved = await readPlan(folder)
  if (!saved) throw new Ended(exit.identity, 'no_identity', 'no registration is in progress here')
  await openRegistration({ baseUrl: saved.url, store: folder }).abandon()
  await folder.remove(planFile)
  await input.io.show(
    { state: 'abandoned', profile: input.profile },
    () => `The registration of ${line(saved.handle)} is abandoned; its key is kept in ${line(folder.path)}/retired.`,
  )
}

export const commands: readonly Command[] = [register]
