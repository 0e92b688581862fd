// How a challenge is answered, with the documents that it is about.
import { currentDocuments } from '../../documents.ts'
import { seconds } from '../../kernel/clock.ts'
import type { Service } from '../../service.ts'
import { resendAfter, type SentChallenge } from './challenges.ts'

export const documentsOf = (service: Service) =>
  currentDocuments(service.documents).map(({ name, title, version, url, sha256 }) => ({
    name,
    title,
    version,
    url,
    sha256,
  }))

export const showChallenge = (service: Service, challenge: SentChallenge, confirmation: boolean) => ({
  status: 202,
  body: {
    challenge_id: challenge.challenge_id,
    expires_at: challenge.expires_at.toISOString(),
    retry_after: resendAfter / seconds(1),
    documents: documentsOf(service),
    owner_confirmation_required: confirmation,
  },
})
