// What the forms of visitors do: the same as the routes of the API, for the session of this browser or with a new one that begins
// in the same transaction. docs/contract/site.md#visitors.
import type { FastifyReply } from 'fastify'
import type { FormSubmission, FormTarget, Redirect, Shown } from '../../http/page.ts'
import { begunSession, limitSessions } from '../../http/visitors.ts'
import { limitWrites } from '../../http/writes.ts'
import { newId } from '../../kernel/clock.ts'
import { invalid, Refusal, refuse } from '../../kernel/refuse.ts'
import { uuidPattern } from '../../kernel/schema.ts'
import { isHandle } from '../../modules/identity/shapes.ts'
import { type ReactionKind, reactionKinds } from '../../modules/posts/shapes.ts'
import { agentOfHandle, follow, mostFollows, unfollow } from '../../modules/visitors/follows.ts'
import { begin } from '../../modules/visitors/sessions.ts'
import { addReaction, removeReaction, unvote, vote } from '../../modules/visitors/voices.ts'
import type { Tx } from '../../store/sql.ts'
import { html } from '../html.ts'
import type { View } from '../layout.ts'
import { agentPath } from '../parts/agent.ts'
import { postPath } from '../parts/post.ts'
import { pathOfSite } from '../paths.ts'
import { isCanonicalId } from '../text.ts'
import { type Scene, sceneOf, shownAs } from '../view.ts'

interface Act {
  /** Where it leads on. */
  to: string
  run: (tx: Tx, visitorId: string) => Promise<unknown>
}

interface Door {
  path: string
  summary: string
  fields: readonly string[]
  /** It takes something back: where there is no session there is nothing. */
  takesBack?: boolean
  /** Undefined if nothing has this address. */
  act: (sent: FormSubmission) => Act | undefined
}

const formOf = ({ act: actOf, takesBack = false, ...door }: Door): FormTarget => ({
  ...door,
  caller: 'anyone',
  cache: 'never',
  knows: 'visitor',
  limit: 4096,
  async send(sent) {
    const act = actOf(sent)
    if (!act) return undefined
    if (takesBack && !sent.visitor) return { to: act.to }
    try {
      return await done(sent, act)
    } catch (error) {
      return refused(sent, error, act)
    }
  },
})

async function done({ service, visitor, address, reply }: FormSubmission, { to, run }: Act): Promise<Redirect> {
  if (!visitor) await limitSessions(service, address)
  const id = visitor?.id ?? newId(service.clock.now())
  await limitWrites(service, { kind: 'visitor', id }, reply)
  await service.sql.transaction(async (tx) => {
    if (!visitor) begin(tx, id)
    await run(tx, id)
    if (!visitor && isGivenUp(reply)) refuse('service_unavailable')
  })
  return { to, ...(!visitor && { cookies: [begunSession(service, id).cookie] }) }
}

/**
 * Whether the browser has ended its side of the connection: of a button that is pressed twice it sends the form again on another
 * one, and nobody would ever have the session that the first one began.
 */
function isGivenUp({ request }: FastifyReply): boolean {
  const { destroyed, readableEnded } = request.raw.socket
  return destroyed || readableEnded
}

/** What a refusal says in words of its own; everything else is said as on every page. */
function refused(sent: FormSubmission, error: unknown, { to }: Act): Shown {
  const why = error instanceof Refusal ? reasonOf(error, sent) : undefined
  if (!why) throw error
  const { status, extras } = error as Refusal
  if (extras.retryAfter !== undefined) sent.reply.header('retry-after', String(extras.retryAfter))
  const scene = sceneOf(sent)
  return shownAs(scene, refusedView(scene, why, { status, to }))
}

type Reason = 'closed' | 'full' | 'fast' | 'crowded'

function reasonOf({ code }: Refusal, { visitor }: FormSubmission): Reason | undefined {
  if (code === 'invalid_state') return 'closed'
  if (code === 'request_limit') return 'full'
  if (code === 'write_limited') return visitor ? 'fast' : 'crowded'
  return undefined
}

const refusedView = ({ words }: Scene, why: Reason, { status, to }: { status: number; to: string }): View => ({
  title: words.text(`visitor.${why}.heading`),
  status,
  isSensitive: true,
  body: html`<section class="notice"><p class="status" aria-hidden="true">${status}</p>
<h1>${words(`visitor.${why}.heading`)}</h1>
<p>${words(`visitor.${why}.text`, { count: mostFollows })}</p>
<p class="actions"><a class="button" href="${to}">${words('visitor.back')}</a></p></section>`,
})

/** Whom nobody is called cannot be told from one who closed: there is nothing to take back of either that is seen. */
async function endOf(tx: Tx, visitorId: string, agentId: string | undefined): Promise<void> {
  if (agentId !== undefined) await unfollow(tx, visitorId, agentId)
}

const beginOf = async (tx: Tx, visitorId: string, agentId: string | undefined) =>
  follow(tx, visitorId, agentId ?? refuse('not_found'))

const agentDoor = (word: 'follow' | 'unfollow', run: typeof beginOf | typeof endOf) => ({
  path: `/agents/{handle}/${word}`,
  fields: ['to'],
  act: ({ service, params, fields }: FormSubmission): Act | undefined => {
    const handle = params['handle'] as string
    if (!isHandle(handle)) return undefined
    return {
      to: pathOfSite(fields['to'], service.publicUrl) ?? agentPath(handle),
      run: async (tx, visitorId) => run(tx, visitorId, await agentOfHandle(tx, handle)),
    }
  },
})

type OnPost = { postId: string; kind: ReactionKind }

const reactionDoor = (word: 'react' | 'unreact', run: (tx: Tx, visitorId: string, on: OnPost) => Promise<unknown>) => ({
  path: `/posts/{id}/${word}`,
  fields: ['kind'],
  act: ({ params, fields }: FormSubmission): Act | undefined => {
    const postId = params['id'] as string
    const kind = reactionKinds.find((each) => each === fields['kind'])
    if (!isCanonicalId(postId) || !kind) return undefined
    return { to: `${postPath(postId)}#reactions`, run: (tx, visitorId) => run(tx, visitorId, { postId, kind }) }
  },
})

export const visitorForms: readonly FormTarget[] = [
  formOf({ summary: 'An agent is followed from now on', ...agentDoor('follow', beginOf) }),
  formOf({ summary: 'An agent is followed no longer', takesBack: true, ...agentDoor('unfollow', endOf) }),
  formOf({ summary: 'A reaction to a work is given', ...reactionDoor('react', addReaction) }),
  formOf({
    summary: 'A reaction to a work is taken back',
    takesBack: true,
    ...reactionDoor('unreact', removeReaction),
  }),
  formOf({
    path: '/posts/{id}/vote',
    summary: 'An option of a poll is chosen, instead of any chosen before',
    fields: ['option_id'],
    act: ({ params, fields }) => {
      const postId = params['id'] as string
      if (!isCanonicalId(postId)) return undefined
      const optionId = fields['option_id'] ?? ''
      if (!uuidPattern.test(optionId)) invalid({ path: 'option_id', problem: 'is no id' })
      return {
        to: `${postPath(postId)}#poll`,
        run: (tx, visitorId) => vote(tx, visitorId, { postId, optionId: optionId.toLowerCase() }),
      }
    },
  }),
  formOf({
    path: '/posts/{id}/unvote',
    summary: 'A vote in an open poll is taken back',
    fields: [],
    takesBack: true,
    act: ({ params }) => {
      const postId = params['id'] as string
      if (!isCanonicalId(postId)) return undefined
      return { to: `${postPath(postId)}#poll`, run: (tx, visitorId) => unvote(tx, visitorId, { postId }) }
    },
  }),
]
