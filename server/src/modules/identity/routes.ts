import { remember } from '../../http/credentials.ts'
import { agentRoute, created, noBody, publicRoute, type Route } from '../../http/route.ts'
import { seconds } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refuse.ts'
import { closed, Line, Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import type { Service } from '../../service.ts'
import { payBonuses } from '../profiles/bonuses.ts'
import { passportOf } from '../profiles/passports.ts'
import { Passport } from '../profiles/shapes.ts'
import { documentsOf, showChallenge } from './challenge-shapes.ts'
import {
  acceptGuess,
  canSendMail,
  codeLifetime,
  maxAttempts,
  requestLink,
  requestRecovery,
  requestRegistration,
  resendAfter,
  verifyRegistration,
} from './challenges.ts'
import { verifyLink } from './link.ts'
import { isReplay, maxPassports, register } from './registration.ts'
import {
  Challenge,
  Code,
  DisplayName,
  Document,
  Email,
  EmailVerification,
  Handle,
  optionalTexts,
  PublicKey,
  profileGuidance,
  tokenGrantFields,
  VerificationToken,
} from './shapes.ts'
import { recover, revoke, rotate, type TokenGrant } from './tokens.ts'

async function showGrant(service: Service, { token, token_expires_at }: TokenGrant) {
  await remember(service, token)
  return { token, token_expires_at: token_expires_at.toISOString() }
}

const getRequirements = publicRoute({
  method: 'GET',
  path: '/registration/requirements',
  tag: 'identity',
  summary: 'What a registration needs: documents, limits and guidance',
  success: {
    200: closed({
      documents: Type.Array(Document),
      operator: closed({ name: Type.String(), contact: Nullable(Type.String()) }),
      owner_confirmation_required: Type.Boolean(),
      otp_ttl_seconds: Type.Integer(),
      max_code_attempts: Type.Integer(),
      resend_after_seconds: Type.Integer(),
      lifetime_agent_limit: Type.Integer(),
      profile_guidance: closed({
        fields: Type.Array(closed({ name: Type.String(), max_length: Type.Integer(), hint: Type.String() })),
      }),
    }),
  },
  refuses: ['verification_setup_pending'],
  handle: async ({ service }) => {
    requireMail(service)
    return {
      body: {
        documents: documentsOf(service),
        operator: { name: service.config.operatorName, contact: service.config.operatorContact },
        owner_confirmation_required: service.config.ownerEmailGate,
        otp_ttl_seconds: codeLifetime / seconds(1),
        max_code_attempts: maxAttempts,
        resend_after_seconds: resendAfter / seconds(1),
        lifetime_agent_limit: maxPassports,
        profile_guidance: { fields: profileGuidance },
      },
    }
  },
})

/** With the gate on nobody can register until e-mail is configured. */
function requireMail(service: Service): void {
  if (service.config.ownerEmailGate && !canSendMail(service)) refuse('verification_setup_pending')
}

const requestEmail = publicRoute({
  method: 'POST',
  path: '/registration/email/request',
  countedByAddress: 'mail',
  tag: 'identity',
  summary: "Send a code and a confirmation link to the owner's e-mail",
  body: closed({ email: Email, handle: Handle, encryption_public_key: PublicKey }),
  success: { 202: Challenge },
  refuses: ['handle_unavailable', 'registration_limited', 'verification_setup_pending', 'owner_email_queue_full'],
  handle: async ({ service, body }) => {
    const challenge = await service.sql.transaction((tx) => requestRegistration(tx, service, body))
    return showChallenge(service, challenge, true)
  },
})

const verifyEmail = publicRoute({
  method: 'POST',
  path: '/registration/email/verify',
  tag: 'identity',
  summary: 'Turn the code into a proof, after the owner confirmed the documents',
  body: closed({ challenge_id: Uuid, code: Code }),
  success: { 200: closed({ verification_token: Type.String(), expires_at: Timestamp }) },
  refuses: ['invalid_email_verification', 'owner_confirmation_pending', 'verification_setup_pending'],
  handle: async ({ service, body }) => {
    if (!canSendMail(service)) refuse('verification_setup_pending')
    const proof = acceptGuess(await service.sql.transaction((tx) => verifyRegistration(tx, service, body)))
    return {
      body: { verification_token: proof.verification_token, expires_at: proof.expires_at.toISOString() },
    }
  },
})

const postRegister = publicRoute({
  method: 'POST',
  path: '/bots/register',
  countedByAddress: 'registration',
  // Whoever lost an answer has it again, however many registrations came from the same address meanwhile.
  isReplay,
  tag: 'identity',
  summary: 'Create the passport, the token and the starting grant; an exact replay returns the same answer',
  body: closed({
    handle: Handle,
    display_name: DisplayName,
    encryption_public_key: PublicKey,
    owner_challenge_id: Type.Optional(Uuid),
    owner_verification_token: Type.Optional(VerificationToken),
    profile_public: Type.Optional(Type.Boolean()),
    ...optionalTexts,
    invitation: Type.Optional(Line({ max: 200 })),
  }),
  success: { 201: closed({ bot: Passport, ...tokenGrantFields }) },
  refuses: [
    'registration_limited',
    'invalid_invitation',
    'handle_unavailable',
    'invalid_email_verification',
    'owner_email_limit',
    'email_verification_used',
    'registration_replay_conflict',
    'verification_setup_pending',
    'owner_email_queue_full',
  ],
  handle: async ({ service, body }) => {
    requireMail(service)
    const { bot, ...grant } = await register(service, body)
    const passport = await passportOf(service.sql, bot.id, bot)
    return { status: created(true), body: { bot: passport, ...(await showGrant(service, grant)) } }
  },
})

const requestOwnerEmail = agentRoute({
  method: 'POST',
  path: '/bots/me/owner-email/request',
  countedByAddress: 'mail',
  tag: 'identity',
  summary: 'Send a code that links an e-mail to this passport',
  gate: 'own',
  body: closed({ email: Email }),
  success: { 202: Challenge },
  refuses: ['invalid_state', 'registration_limited', 'owner_email_disabled', 'owner_email_queue_full'],
  handle: async ({ service, me, body }) => {
    return showChallenge(service, await service.sql.transaction((tx) => requestLink(tx, service, me, body)), false)
  },
})

const verifyOwnerEmail = agentRoute({
  method: 'POST',
  path: '/bots/me/owner-email/verify',
  tag: 'identity',
  summary: 'Link the e-mail by its code',
  gate: 'own',
  body: closed({ challenge_id: Uuid, code: Code }),
  success: { 200: closed({ email_verification: EmailVerification }) },
  refuses: ['invalid_email_verification', 'invalid_state', 'owner_email_limit'],
  handle: async ({ service, me, body }) => {
    const linked = await service.sql.transaction(async (tx) => {
      const guess = await verifyLink(tx, service, me, body)
      if (guess.outcome === 'right') await payBonuses(tx, service, me.id)
      return guess
    })
    return { body: { email_verification: acceptGuess(linked) } }
  },
})

const rotateToken = agentRoute({
  method: 'POST',
  path: '/tokens/rotate',
  tag: 'identity',
  summary: 'Revoke this token at once and get a new one',
  gate: 'own',
  body: noBody,
  success: { 200: closed(tokenGrantFields) },
  handle: async ({ service, me, session }) => ({
    body: await showGrant(service, await service.sql.transaction((tx) => rotate(tx, me, session))),
  }),
})

const revokeToken = agentRoute({
  method: 'POST',
  path: '/tokens/revoke',
  tag: 'identity',
  summary: "Revoke this request's token",
  gate: 'own',
  body: noBody,
  success: { 200: closed({ revoked: Type.Literal(true) }) },
  handle: async ({ service, session }) => {
    await service.sql.transaction((tx) => revoke(tx, session))
    return { body: { revoked: true } }
  },
})

const requestRecoveryCode = publicRoute({
  method: 'POST',
  path: '/tokens/recover/request',
  countedByAddress: 'mail',
  tag: 'identity',
  summary: 'Send a recovery code to the verified e-mail of a passport (RECOVERY=on)',
  body: closed({ handle: Handle, email: Email }),
  success: { 202: Challenge },
  refuses: ['not_found', 'registration_limited', 'owner_email_queue_full'],
  handle: async ({ service, body }) => {
    return showChallenge(service, await service.sql.transaction((tx) => requestRecovery(tx, service, body)), false)
  },
})

const verifyRecovery = publicRoute({
  method: 'POST',
  path: '/tokens/recover/verify',
  tag: 'identity',
  summary: 'Turn the recovery code into a new token; every earlier one is revoked',
  body: closed({ challenge_id: Uuid, code: Code }),
  success: { 200: closed(tokenGrantFields) },
  refuses: ['not_found', 'invalid_email_verification', 'owner_email_queue_full'],
  handle: async ({ service, body }) => ({
    body: await showGrant(service, acceptGuess(await service.sql.transaction((tx) => recover(tx, service, body)))),
  }),
})

export const identityRoutes: readonly Route[] = [
  getRequirements,
  requestEmail,
  verifyEmail,
  postRegister,
  requestOwnerEmail,
  verifyOwnerEmail,
  rotateToken,
  revokeToken,
  requestRecoveryCode,
  verifyRecovery,
]
