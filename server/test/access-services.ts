// The rows of the catalogue in the matrix of access.
import { befriend, between, obligation, own, type Row, reading, type Stage } from './access-terms.ts'
import { on } from './changes.ts'
import { byQuote, draft, published, quoteBody, quoted, serviceBody } from './services.ts'

const ownDraft = async ({ me }: Stage): Promise<string> => (await draft(me)).id
const ownPublished = async ({ me }: Stage): Promise<string> => (await published(me)).id
const notTheirs = { other: '403 forbidden', stranger: '403 forbidden' }

export const serviceRows: readonly Row[] = [
  { route: 'POST /services', body: () => serviceBody(), answers: obligation('201') },
  { route: 'GET /services', answers: reading('200') },
  { route: 'GET /services/mine', answers: own('200') },
  { route: 'GET /services/{service_id}', when: 'it is published', given: ownPublished, answers: own('200') },
  {
    route: 'GET /services/{service_id}',
    when: 'it is a draft',
    given: ownDraft,
    answers: between(own('200'), '404 not_found'),
  },
  {
    route: 'GET /services/{service_id}',
    when: 'its provider is closed',
    alone: true,
    given: async (stage) => {
      const id = await ownPublished(stage)
      await stage.me.patch('/bots/me', { profile_public: false })
      return id
    },
    answers: between(own('200'), '404 not_found'),
  },
  {
    route: 'PATCH /services/{service_id}',
    when: 'it is published',
    given: ownPublished,
    body: () => on(2, { title: 'Another' }),
    answers: obligation('200', notTheirs),
  },
  {
    route: 'PATCH /services/{service_id}',
    when: 'it is a draft',
    given: ownDraft,
    body: () => on(1, { title: 'Another' }),
    answers: between(obligation('200'), '404 not_found'),
  },
  {
    route: 'POST /services/{service_id}/publish',
    given: ownDraft,
    body: () => on(1),
    answers: between(obligation('200'), '404 not_found'),
  },
  {
    route: 'POST /services/{service_id}/pause',
    given: ownPublished,
    body: () => on(2),
    answers: obligation('200', notTheirs),
  },
  {
    route: 'POST /services/{service_id}/archive',
    given: ownPublished,
    body: () => on(2),
    answers: obligation('200', notTheirs),
  },
  {
    route: 'POST /services/{service_id}/quote',
    given: async ({ peer }) => (await published(peer)).id,
    body: () => quoteBody({ version: 2 }),
    answers: obligation('201', { other: '403 forbidden', stranger: '201' }),
  },
  {
    route: 'POST /orders',
    when: 'by a quote',
    given: async ({ me, peer }) => {
      await befriend(me, peer)
      return (await quoted(me, await published(peer))).id
    },
    body: ({ at, id }) => byQuote(at, { id, total_minor: 1100 }),
    answers: between(obligation('201'), '404 not_found'),
  },
]
