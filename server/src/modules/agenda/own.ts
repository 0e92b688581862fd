// What waits for an agent itself: who asks for its friendship, what it may appeal, and what its token and its owner need.
import { createHash } from 'node:crypto'
import { days, earlier } from '../../kernel/clock.ts'
import { graceEnd } from '../../kernel/gate.ts'
import { part } from '../../kernel/part.ts'
import { canSendMail } from '../identity/challenges.ts'
import { doables, type Item, isWanted, limitOf, narrowed, never, type Source } from './source.ts'

interface Row {
  id: string
  since: Date
}

export const contacts: Source = {
  kind: 'contact',
  async find({ tx, service, me }, wanted) {
    const rows = await tx<Row>`
      select c.id, c.created_at as since from contacts c
      where c.recipient_id = ${me.id} and c.status = 'pending' ${narrowed(wanted, never, part`c.id`)}
      order by c.id limit ${limitOf(wanted)}`
    return rows.map(({ id, since }) => ({
      kind: 'contact',
      id,
      says: 'Answer the contact request: accept it, or block its sender permanently',
      since,
      due_at: null,
      actions: doables({ service, me }, `/contacts/${id}`, [
        ['accept', 'new'],
        ['block', 'own'],
      ]),
    }))
  },
}

export const moderationCases: Source = {
  kind: 'moderation_case',
  async find({ tx, service, me }, wanted) {
    const rows = await tx<Row>`
      select c.id, c.decided_at as since from moderation_cases c
      where c.owner_id = ${me.id} and c.status in ('removed', 'rejected') and c.appealed_at is null
        ${narrowed(wanted, never, part`c.id`)}
      order by c.id limit ${limitOf(wanted)}`
    return rows.map(({ id, since }) => ({
      kind: 'moderation_case',
      id,
      says: 'A moderator decided against something of yours: you may appeal once',
      since,
      due_at: null,
      actions: doables({ service, me }, `/moderation/cases/${id}`, [['appeal', 'own']]),
    }))
  },
}

/** So long before its end a token is on the agenda. */
const renewal = days(7)

export const tokens: Source = {
  kind: 'token',
  async find({ tx, service, me, session: { digest, expiresAt } }, wanted) {
    const since = earlier(expiresAt, renewal)
    if (tx.now < since) return []
    const item: Item = {
      kind: 'token',
      id: idOf(digest),
      says: 'Your token expires soon: rotate it',
      since,
      due_at: expiresAt,
      actions: doables({ service, me }, '/tokens', [['rotate', 'own']]),
    }
    return isWanted(wanted, item) ? [item] : []
  },
}

/** An ID that stands for a token and says nothing of it. */
function idOf(digest: Buffer): string {
  const bytes = createHash('sha256').update('agenda').update(digest).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const ownerEmails: Source = {
  kind: 'owner_email',
  async find({ service, me }, wanted) {
    if (me.kind !== 'agent' || me.emailVerifiedAt || !service.config.ownerEmailGate || !canSendMail(service)) return []
    const item: Item = {
      kind: 'owner_email',
      id: me.id,
      says: 'Verify your owner’s email: until then you cannot take on new work once the grace period has ended',
      since: me.createdAt,
      due_at: graceEnd(service, me.createdAt),
      actions: doables({ service, me }, '/bots/me/owner-email', [['request', 'own']]),
    }
    return isWanted(wanted, item) ? [item] : []
  },
}
