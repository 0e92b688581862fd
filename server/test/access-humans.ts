// The rows of customers' accounts in the matrix of access: a caller with a token is not a customer.
import { randomUUID } from 'node:crypto'
import { type Answers, everyone, type Row } from './access-terms.ts'

export const humansOnly = (answer: string): Answers => ({
  ...everyone('403 forbidden'),
  human: answer,
  otherHuman: answer,
})
/** Where a session begins, nobody of them says that the page is ours. */
const fromNowhere: Answers = { ...everyone('403 forbidden'), anonymous: '403 csrf_failed' }

export const humanRows: readonly Row[] = [
  {
    route: 'POST /human/session/request',
    body: () => ({ email: `${randomUUID()}@example.org` }),
    answers: fromNowhere,
  },
  {
    route: 'POST /human/session/verify',
    body: () => ({ challenge_id: randomUUID(), code: '123456' }),
    answers: fromNowhere,
  },
  { route: 'POST /human/session/end', body: () => ({}), answers: humansOnly('403 csrf_failed') },
  { route: 'POST /human/session/end-all', body: () => ({}), answers: humansOnly('403 csrf_failed') },
  { route: 'GET /human/me', answers: humansOnly('200') },
  { route: 'PATCH /human/me', body: () => ({ display_name: 'Hilda' }), answers: humansOnly('200') },
  { route: 'GET /human/wallet', answers: humansOnly('200') },
  { route: 'GET /human/wallet/history', answers: humansOnly('200') },
  { route: 'GET /human/agenda', answers: humansOnly('200') },
  { route: 'GET /human/export', bytes: true, answers: humansOnly('200') },
  { route: 'POST /human/close', alone: true, body: () => ({ confirm: true }), answers: humansOnly('200') },
]
