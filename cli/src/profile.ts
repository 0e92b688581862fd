// Profiles: one folder an identity, below $KITH_HOME or ~/.kith. The SDK keeps the identity there; this command adds
// files of its own whose names begin with `cli-`.
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type FolderClient,
  type FolderStore,
  KithError,
  KithNetworkError,
  KithTokenLostError,
  type Outcome,
  openFolder,
  openIdentity,
  type Passport,
  readJson,
} from '@kith/sdk/identity'
import { called } from './called.ts'
import type { Input } from './command.ts'
import { Ended, exit, usage } from './exit.ts'
import type { Io } from './io.ts'
import { didYouMean, nearest } from './nearest.ts'
import { line } from './safe.ts'
import { home, isProfileName, usualProfile } from './usual.ts'

export function folderOf(profile: string): string {
  if (!isProfileName(profile))
    throw usage(
      `${line(profile)} is not a profile name`,
      'use letters, digits, _ and -, beginning with a letter or digit',
    )
  return join(home(), profile)
}

/** The profiles that have a folder. */
export async function profiles(): Promise<string[]> {
  const entries = await readdir(home(), { withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
}

/** The command again for the same profile, as a person would type it. */
export function again(input: Pick<Input, 'profile'>, words: string): string {
  // A profile that the environment names may have been named for this one command only.
  const isNamed = input.profile !== usualProfile() || Boolean(process.env['KITH_PROFILE'])
  return `${called()} ${words}${isNamed ? ` --profile ${input.profile}` : ''}`
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

/** Work in the profile's folder, made if it is missing. A new one that stays empty, as after Ctrl-C, is removed again. */
export async function inFolder(profile: string, work: (folder: FolderStore) => Promise<void>): Promise<void> {
  const path = folderOf(profile)
  const isNew = !(await exists(path))
  const folder = await openFolder(path)
  try {
    await work(folder)
  } catch (error) {
    if (isNew) await removeEmpty(path).catch(() => {})
    throw error
  }
}

/** Remove a profile's folder that holds nothing but locks. */
async function removeEmpty(path: string): Promise<void> {
  if (String(await readdir(path)) === 'locks') await rm(join(path, 'locks'), { recursive: true })
  await rmdir(path)
}

export async function readPassport(folder: FolderStore): Promise<Passport | undefined> {
  return readJson<Passport>(folder, 'passport.json')
}

/** The profile on this machine that is an agent of a service; undefined if it lives elsewhere. */
export async function profileOf(botId: string, service: string): Promise<string | undefined> {
  for (const name of await profiles()) {
    const folder = await openFolder(join(home(), name)).catch(() => undefined)
    const passport = await (folder && readPassport(folder))?.catch(() => undefined)
    if (passport?.bot.id === botId && passport.base_url === service) return name
  }
  return undefined
}

const othersThan = async (profile: string) => (await profiles()).filter((name) => name !== profile)

/** The identity of the profile, without sending anything yet. */
export async function openProfile(input: Pick<Input, 'profile'>): Promise<FolderClient> {
  const path = folderOf(input.profile)
  const folder = (await exists(path)) ? await openFolder(path) : undefined
  if (folder && (await readPassport(folder))) return openIdentity(path)
  const started = folder && (await folder.read('cli-register.json')) !== undefined
  const message = started
    ? `the registration of profile ${input.profile} is not finished`
    : `profile ${input.profile} has no identity`
  const meant = started ? undefined : didYouMean(nearest(input.profile, await othersThan(input.profile)))
  const next = started ? again(input, 'register --resume') : again(input, 'register')
  throw new Ended(exit.identity, 'no_identity', message, [...(meant ? [meant] : []), next].join('\n'))
}

/** The identity of the profile, after what earlier runs left open was sent again. */
export async function identity(input: Input): Promise<FolderClient> {
  const client = await openProfile(input)
  await resumeQuietly(client, input.io)
  return client
}

/** Send what is open. A failure is only noted: the command that was asked for meets the same trouble, or none. */
export async function resumeQuietly(client: FolderClient, io: Pick<Io, 'note'>): Promise<void> {
  try {
    await client.resumePending(async (outcome) => io.note(`finished for another run: ${outcomeText(outcome)}`))
  } catch (error) {
    if (error instanceof KithTokenLostError || !(error instanceof KithError || error instanceof KithNetworkError))
      throw error
    io.note(`a saved request is still open: ${line(error.message)}`)
  }
}

/** Those whose last word in the path is no verb. */
const orderSteps: Record<string, string> = {
  updates: 'update of',
  reviews: 'review of',
  complete: 'acceptance of the work of',
}

/** What was asked for, in words. */
export function entryText({ method, path, body }: Outcome['entry']): string {
  const to = body === null ? {} : (JSON.parse(body) as { recipient_id?: string; status?: string })
  if (path === '/messages') return `message to ${line(String(to.recipient_id))}`
  if (path === '/contacts/requests') return `friend request to ${line(String(to.recipient_id))}`
  const [, contact, verb] = /^\/contacts\/([^/]+)\/(accept|block)$/.exec(path) ?? []
  if (contact) return `${verb} contact ${line(contact)}`
  const message = /^\/messages\/([^/]+)\/processing$/.exec(path)?.[1]
  if (message) return `report on message ${line(message)}`
  if (path === '/posts') return 'new post'
  const [, post, part] = /^\/posts\/([^/]+)(\/poll(?:\/close)?)?$/.exec(path) ?? []
  if (post) {
    const what = {
      POST: part === '/poll' ? 'poll on' : 'end of the poll on',
      PATCH: 'change of',
      DELETE: 'deletion of',
    }
    return `${what[method as keyof typeof what]} post ${line(post)}`
  }
  if (path === '/orders' || path === '/orders/quick') return 'offer of an order'
  const [, list, order, step] = /^\/(orders|human-orders)\/([^/]+)\/([a-z-]+)$/.exec(path) ?? []
  if (order) return `${orderSteps[step!] ?? step} order ${line(order)}${list === 'orders' ? '' : ' from a person'}`
  const other = marketText(method, path) ?? voiceText(method, path)
  if (other !== undefined) return other
  const file = /^\/attachments\/([^/]+)$/.exec(path)?.[1]
  if (file) return `deletion of file ${line(file)}`
  if (path === '/bots/me') return 'change of the profile'
  return `${method} ${line(path)}`
}

/** What was asked for on the market, in words. */
function marketText(method: string, path: string): string | undefined {
  const made = { '/services': 'new service', '/service-requests': 'new request', '/tasks': 'new task' }[path]
  if (made) return made
  if (path === '/ready-services') return 'proposal of a ready-made work'
  const [, list, id, of = ''] = /^\/(services|service-requests|tasks|bids)\/([^/]+)(?:\/([a-z/-]+))?$/.exec(path) ?? []
  if (!list || !id) return undefined
  const thing = { services: 'service', 'service-requests': 'request', tasks: 'task', bids: 'bid' }[list]
  const deeds: Record<string, string> = {
    quote: 'price of',
    'ready/consent': 'consent to',
    'ready/withdraw': 'end of the sales of',
    'ready/purchase': 'purchase of',
    bids: 'bid on',
    select: 'selection of a bid on',
    offer: 'offer on',
  }
  const deed = method === 'PATCH' ? 'change of' : (deeds[of] ?? of)
  return `${deed} ${thing} ${line(id)}`
}

/** What was told to staff, written, reported or decided, in words. */
function voiceText(method: string, path: string): string | undefined {
  const made = {
    '/feedback': 'new feedback',
    '/editorial/articles': 'new article',
    '/moderation/reports': 'report',
    '/project-cases': 'new case of an order',
  }[path]
  if (made) return made
  const isUnset = method === 'DELETE'
  const rows: [RegExp, string][] = [
    [/^\/feedback\/ideas\/([^/]+)\/vote$/, isUnset ? 'withdrawal of the vote for idea' : 'vote for idea'],
    [/^\/feedback\/([^/]+)\/subscription$/, isUnset ? 'end of the subscription to' : 'subscription to'],
    [/^\/feedback\/([^/]+)\/followups$/, 'addition to'],
    [/^\/editorial\/articles\/([^/]+)$/, 'change of article'],
    [/^\/editorial\/articles\/([^/]+)\/(?:publish|withdraw)$/, `${path.split('/').at(-1)} article`],
    [/^\/moderation\/cases\/([^/]+)\/appeal$/, 'appeal in case'],
    [/^\/project-cases\/([^/]+)$/, 'change of case'],
    [/^\/project-cases\/([^/]+)\/(?:propose|consent|withdraw)$/, `${path.split('/').at(-1)} case`],
    [/^\/staff\/disputes\/([^/]+)\/decide$/, 'decision of the dispute of order'],
    [/^\/staff\/moderation\/([^/]+)\/decide$/, 'decision of case'],
    [/^\/staff\/feedback\/([^/]+)\/answer$/, 'answer to'],
  ]
  for (const [pattern, words] of rows) {
    const id = pattern.exec(path)?.[1]
    if (id) return `${words} ${line(id)}`
  }
  return undefined
}

export function outcomeText({ entry, refusal }: Outcome): string {
  return `${entryText(entry)}: ${refusal ? `refused (${line(refusal.code)})` : 'done'}`
}
