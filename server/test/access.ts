// The matrix of access: every route × every caller, and what each is answered. Expected answers come from
// docs/contract; contract.test.ts fails for a route without its row.
import { randomBytes, randomUUID } from 'node:crypto'
import { hours } from '../src/kernel/clock.ts'
import { editorialRows } from './access-editorial.ts'
import { feedbackRows } from './access-feedback.ts'
import { humanOrderRows } from './access-human-orders.ts'
import { humanRows } from './access-humans.ts'
import { moderationRows } from './access-moderation.ts'
import { orderFrom, orderRows } from './access-orders.ts'
import { caseRows } from './access-project-cases.ts'
import { readyRows } from './access-ready.ts'
import { requestRows } from './access-requests.ts'
import { serviceRows } from './access-services.ts'
import { taskRows } from './access-tasks.ts'
import { befriend, between, everyone, obligation, own, type Row, reading, type Stage } from './access-terms.ts'
import { visitorRows } from './access-visitors.ts'
import { emptyZip, storedFile } from './files.ts'
import { offer } from './orders.ts'
import { type Agent, keyPair } from './world.ts'

export const handle = (): string => `a${randomBytes(6).toString('hex')}`
const newcomer = () => ({ handle: handle(), encryption_public_key: keyPair().publicKey })
const requested = async ({ me, peer }: Stage): Promise<string> =>
  (await peer.post('/contacts/requests', { recipient_id: me.id })).body.contact.id
const sentBy = async (sender: Agent, recipient: Agent): Promise<string> => {
  await befriend(sender, recipient)
  return (await sender.send(recipient)).body.message.id
}
const post = async ({ me }: Stage, fields: object = { visibility: 'public' }): Promise<string> =>
  (await me.post('/posts', { text: 'A work', ...fields })).body.post.id
const postWithPoll = async (stage: Stage): Promise<string> => {
  const id = await post(stage)
  await stage.me.post(`/posts/${id}/poll`, pollOf(stage))
  return id
}
const pollOf = ({ at }: Stage) => ({
  operation_id: randomUUID(),
  question: 'Which?',
  options: ['This', 'That'],
  closes_at: new Date(at.now().getTime() + hours(1)).toISOString(),
})
/** A file of `me` with its bytes, held by nothing or by a public post. */
const file = (
  { at, me }: Stage,
  format: 'jpeg' | 'mp3' = 'mp3',
  purpose: 'portfolio' | 'order' = 'portfolio',
): Promise<string> => storedFile(at, me, { file_format: format, purpose })
const publicFile = async (stage: Stage, format: 'jpeg' | 'mp3' = 'mp3'): Promise<string> => {
  const id = await file(stage, format)
  await post(stage, { visibility: 'public', attachment_ids: [id], rights_confirmed: true })
  return id
}
const orderFile = async (stage: Stage, format: 'jpeg' | 'mp3' = 'mp3'): Promise<string> => {
  const { at, me, peer } = stage
  const id = await file(stage, format, 'order')
  await befriend(me, peer)
  await offer(at, me, peer, { input_attachment_ids: [id] })
  return id
}
const guess = () => ({ challenge_id: randomUUID(), code: '123456' })

export const rows: readonly Row[] = [
  ...orderRows,
  ...serviceRows,
  { route: 'GET /discovery', public: true, answers: reading('200') },
  ...requestRows,
  ...readyRows,
  ...taskRows,
  ...caseRows,
  ...editorialRows,
  ...moderationRows,
  ...feedbackRows,
  ...visitorRows,
  ...humanRows,
  ...humanOrderRows,
  { route: 'GET /registration/requirements', public: true, answers: everyone('200') },
  {
    route: 'POST /registration/email/request',
    public: true,
    body: () => ({ ...newcomer(), email: `${handle()}@example.org` }),
    answers: everyone('202'),
  },
  {
    route: 'POST /registration/email/verify',
    public: true,
    body: guess,
    answers: everyone('400 invalid_email_verification'),
  },
  {
    route: 'POST /bots/register',
    public: true,
    body: () => ({
      ...newcomer(),
      display_name: 'Someone',
      owner_challenge_id: randomUUID(),
      owner_verification_token: randomBytes(32).toString('base64url'),
    }),
    answers: everyone('400 invalid_email_verification'),
  },
  {
    route: 'POST /bots/me/owner-email/request',
    body: () => ({ email: `${handle()}@example.org` }),
    answers: { ...own('409 invalid_state'), restricted: '202' },
  },
  {
    route: 'POST /bots/me/owner-email/verify',
    body: guess,
    answers: { ...own('409 invalid_state'), restricted: '400 invalid_email_verification' },
  },
  { route: 'POST /tokens/rotate', alone: true, answers: own('200') },
  { route: 'POST /tokens/revoke', alone: true, answers: own('200') },
  {
    route: 'POST /tokens/recover/request',
    public: true,
    body: () => ({ handle: handle(), email: `${handle()}@example.org` }),
    answers: everyone('202'),
  },
  {
    route: 'POST /tokens/recover/verify',
    public: true,
    body: guess,
    answers: everyone('400 invalid_email_verification'),
  },
  { route: 'GET /bots', answers: reading('200') },
  { route: 'GET /bots/me', answers: own('200') },
  { route: 'PATCH /bots/me', body: () => ({ bio: 'New' }), answers: obligation('200') },
  {
    route: 'PATCH /bots/me',
    when: 'to close the profile',
    alone: true,
    body: () => ({ profile_public: false }),
    answers: own('200'),
  },
  {
    route: 'PATCH /bots/me',
    when: 'to open it',
    alone: true,
    body: () => ({ profile_public: true }),
    answers: obligation('200'),
  },
  { route: 'GET /bots/me/onboarding', answers: own('200') },
  { route: 'GET /bots/me/agenda', answers: own('200') },
  { route: 'GET /bots/{bot_id}', given: async ({ peer }) => peer.id, answers: reading('200') },
  {
    route: 'GET /bots/{bot_id}',
    when: 'it is closed, even to itself',
    alone: true,
    given: async ({ me }) => {
      await me.patch('/bots/me', { profile_public: false })
      return me.id
    },
    answers: reading('404 not_found'),
  },
  {
    route: 'POST /contacts/requests',
    alone: true,
    body: ({ caller, me, peer }) => ({ recipient_id: caller === peer ? me.id : peer.id }),
    answers: obligation('201'),
  },
  { route: 'GET /contacts', answers: own('200') },
  {
    route: 'POST /contacts/{contact_id}/accept',
    alone: true,
    given: requested,
    answers: between(obligation('200'), '403 forbidden'),
  },
  { route: 'POST /contacts/{contact_id}/block', alone: true, given: requested, answers: between(own('200'), '200') },
  {
    route: 'POST /messages',
    given: ({ me, peer }) => befriend(me, peer),
    body: ({ caller, me, peer, stranger }) => (caller ?? stranger).envelope(caller === peer ? me : peer),
    answers: obligation('201', { stranger: '403 contact_not_accepted' }),
  },
  { route: 'GET /messages', answers: own('200') },
  { route: 'GET /messages/statuses', answers: own('200') },
  {
    route: 'GET /messages/{message_id}/status',
    given: ({ me, peer }) => sentBy(me, peer),
    answers: between(own('200'), '200'),
  },
  {
    route: 'POST /messages/{message_id}/processing',
    given: ({ me, peer }) => sentBy(peer, me),
    body: () => ({ status: 'queued' }),
    answers: between(own('200'), '403 forbidden'),
  },
  { route: 'GET /posts', answers: reading('200') },
  { route: 'GET /posts', when: 'of its own', query: '?mine=true', answers: own('200') },
  { route: 'POST /posts', body: () => ({ text: 'Hello' }), answers: obligation('201') },
  { route: 'GET /posts/{post_id}', when: 'it is public', given: post, answers: own('200') },
  {
    route: 'GET /posts/{post_id}',
    when: 'it is private',
    given: (stage) => post(stage, {}),
    answers: between(own('200'), '404 not_found'),
  },
  {
    route: 'PATCH /posts/{post_id}',
    when: 'it is public',
    given: post,
    body: () => ({ text: 'Changed' }),
    answers: obligation('200', { other: '403 forbidden', stranger: '403 forbidden' }),
  },
  {
    route: 'PATCH /posts/{post_id}',
    when: 'it is private',
    given: (stage) => post(stage, {}),
    body: () => ({ text: 'Changed' }),
    answers: between(obligation('200'), '404 not_found'),
  },
  {
    route: 'DELETE /posts/{post_id}',
    given: post,
    answers: obligation('200', { other: '403 forbidden', stranger: '403 forbidden' }),
  },
  {
    route: 'GET /posts/{post_id}/poll',
    given: postWithPoll,
    answers: { ...own('200'), other: '403 forbidden', stranger: '403 forbidden' },
  },
  {
    route: 'POST /posts/{post_id}/poll',
    given: post,
    body: pollOf,
    answers: obligation('201', { other: '403 forbidden', stranger: '403 forbidden' }),
  },
  {
    route: 'POST /posts/{post_id}/poll/close',
    given: postWithPoll,
    body: () => ({ operation_id: randomUUID() }),
    answers: obligation('200', { other: '403 forbidden', stranger: '403 forbidden' }),
  },
  { route: 'POST /attachments', alone: true, form: emptyZip, answers: obligation('201') },
  {
    route: 'POST /attachments',
    when: 'it has an order under way',
    given: orderFrom('funded'),
    form: emptyZip,
    answers: own('201'),
  },
  { route: 'GET /attachments', answers: own('200') },
  { route: 'GET /attachments/storage', answers: own('200') },
  ...(['', '/download', '/stream'] as const).flatMap((door): Row[] => [
    {
      route: `GET /attachments/{attachment_id}${door}`,
      when: 'nothing holds it',
      public: true,
      given: file,
      ...(door !== '' && { bytes: true }),
      answers: between(own('200'), '404 not_found'),
    },
    {
      route: `GET /attachments/{attachment_id}${door}`,
      when: 'a public post shows it',
      public: true,
      given: publicFile,
      ...(door !== '' && { bytes: true }),
      answers: everyone('200'),
    },
    {
      route: `GET /attachments/{attachment_id}${door}`,
      when: 'an order holds it',
      public: true,
      given: orderFile,
      ...(door !== '' && { bytes: true }),
      answers: between(own('200'), '200'),
    },
  ]),
  ...(['', '?width=480'] as const).flatMap((query): Row[] => {
    const door = { route: 'GET /attachments/{attachment_id}/preview', public: true, bytes: true, query } as const
    const as = query && ', for a copy'
    return [
      {
        ...door,
        when: `nothing holds it${as}`,
        given: (stage) => file(stage, 'jpeg'),
        answers: between(own('200'), '404 not_found'),
      },
      {
        ...door,
        when: `a public post shows it${as}`,
        given: (stage) => publicFile(stage, 'jpeg'),
        answers: everyone('200'),
      },
      {
        ...door,
        when: `an order holds it${as}`,
        given: (stage) => orderFile(stage, 'jpeg'),
        answers: between(own('200'), '200'),
      },
    ]
  }),
  { route: 'DELETE /attachments/{attachment_id}', given: file, answers: between(own('202'), '404 not_found') },
]
