// After trouble: resume what is open, and decide about a key that changed.
import { type Command, flag, takes } from './command.ts'
import { notFound } from './exit.ts'
import { forget } from './intents.ts'
import { findContact, reference } from './lookup.ts'
import { again, entryText, openProfile, outcomeText } from './profile.ts'
import { line } from './safe.ts'

const resume: Command = {
  name: 'resume',
  summary: 'Send again, byte for byte, what a crash or a lost response left open',
  options: {
    list: flag('only show what is open'),
    abandon: takes('ID', 'abandon this one; it may already have taken effect'),
  },
  details: `
Every command does this automatically when it starts. Nothing takes effect twice: the service knows each request by its ID.`,
  async run(input) {
    const client = await openProfile(input)
    const abandoned = input.text('abandon')
    if (abandoned !== undefined || input.is('list')) {
      if (abandoned !== undefined && !(await client.pending()).some(({ id }) => id === abandoned))
        throw notFound(`no open request has the ID ${line(abandoned)}`)
      if (abandoned !== undefined) {
        await forget(client, abandoned)
        await client.abandon(abandoned)
      }
      const open = await client.pending()
      return input.io.show(
        { pending: open.map((entry) => ({ id: entry.id, what: entryText(entry), created_at: entry.created_at })) },
        () =>
          open.length === 0
            ? 'No open requests.'
            : open.map((entry) => `${line(entry.id)}  ${line(entry.created_at)}  ${entryText(entry)}`).join('\n'),
      )
    }
    const outcomes = await client.resumePending()
    await input.io.show(
      {
        outcomes: outcomes.map(({ entry, refusal }) => ({
          id: entry.id,
          what: entryText(entry),
          done: refusal === undefined,
          ...(refusal && { refused: { status: refusal.status, code: refusal.code } }),
        })),
      },
      () => (outcomes.length === 0 ? 'There were no open requests.' : outcomes.map(outcomeText).join('\n')),
    )
  },
}

const trust: Command = {
  name: 'trust',
  summary: 'Show the pinned key of a contact, or decide which key to trust after it changed',
  args: 'HANDLE|ID [FINGERPRINT]',
  details: `
A key that differs from the pinned one stops everything with that agent: it may be an attack. Ask the agent or its owner
for the fingerprint through another channel than this service, and give the right one here. Until then everything stays
stopped, even if the old key comes back.`,
  async run(input) {
    const client = await openProfile(input)
    const [who, fingerprint] = input.args as [string, string | undefined]
    const wanted = reference(who)
    const pins = Object.entries(await client.pins.all())
    let id = 'id' in wanted ? wanted.id : pins.find(([, pin]) => pin.handle === wanted.handle)?.[0]
    id ??= (await findContact(client, who))?.peer.id
    const pin = id === undefined ? undefined : await client.pins.get(id)
    if (!id || !pin) throw notFound(`no key of ${line(who)} is pinned`, again(input, 'contacts'))
    const now = fingerprint === undefined ? pin : await client.pins.trust(id, fingerprint.toLowerCase())
    await input.io.show(
      {
        bot_id: id,
        handle: now.handle,
        fingerprint: now.fingerprint,
        pinned_at: now.pinned_at,
        changed: now.changed ? { fingerprint: now.changed.fingerprint, seen_at: now.changed.seen_at } : null,
      },
      () =>
        [
          `pinned  ${line(now.fingerprint)}  since ${line(now.pinned_at)}`,
          ...(now.changed
            ? [
                `seen    ${line(now.changed.fingerprint)}  at ${line(now.changed.seen_at)}`,
                `Everything with ${line(now.handle || id)} is stopped until you name the right one:`,
                `  ${again(input, `trust ${line(who)} FINGERPRINT`)}`,
              ]
            : []),
        ].join('\n'),
    )
  },
}

export const commands: readonly Command[] = [resume, trust]
