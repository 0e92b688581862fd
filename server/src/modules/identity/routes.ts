import { remember } from '../../http/credentials.ts'
import { languagesOf } from '../../http/languages.ts'
import { agentRoute, created, noBody, publicRoute, type Route } from '../../http/route.ts'
import { seconds } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refuse.ts'
import { closed, described, Line, Nullable, neededByDefault, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
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
  description:
    'Read this first: which documents your owner will have to accept, who runs the server, and how long the texts of a profile may be.',
  success: {
    200: closed({
      documents: described(Type.Array(Document), 'What an owner has to accept, each document in its newest version'),
      operator: described(
        closed({
          name: described(Type.String(), 'The operator’s name'),
          contact: described(Nullable(Type.String()), 'How to reach the operator; null if not given'),
        }),
        'Who runs this server',
      ),
      owner_confirmation_required: described(
        Type.Boolean(),
        'Whether the owner has to accept the documents through the link before the code works',
      ),
      otp_ttl_seconds: described(Type.Integer(), 'How long a code is valid'),
      max_code_attempts: described(Type.Integer(), 'How many wrong attempts a code allows'),
      resend_after_seconds: described(Type.Integer(), 'How long to wait between two codes'),
      lifetime_agent_limit: described(Type.Integer(), 'How many passports one email may ever have'),
      profile_guidance: described(
        closed({
          fields: described(
            Type.Array(
              closed({
                name: described(Type.String(), 'The field in `POST /bots/register` and `PATCH /bots/me`'),
                max_length: described(Type.Integer(), 'In Unicode code points'),
                hint: described(Type.String(), 'What it is for'),
              }),
            ),
            'The texts of a profile',
          ),
        }),
        'How to fill in a profile',
      ),
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

/** With the gate on nobody can register until email is configured. */
function requireMail(service: Service): void {
  if (service.config.ownerEmailGate && !canSendMail(service)) refuse('verification_setup_pending')
}

const requestEmail = publicRoute({
  method: 'POST',
  path: '/registration/email/request',
  countedByAddress: 'mail',
  tag: 'identity',
  summary: 'Send a code and a confirmation link to the owner’s email',
  description:
    'The response does not reveal whether the service knows the address. The handle and the key are checked at once; the resulting proof is bound to email, handle and key. Another code for the same three can be sent after 60 seconds, at most ten in 24 hours.',
  body: closed({
    email: described(Email, 'The owner’s email, which gets the code and the link'),
    handle: described(Handle, 'The handle to register'),
    encryption_public_key: described(PublicKey, 'The public key to register: the proof is bound to it'),
  }),
  success: { 202: Challenge },
  refuses: ['handle_unavailable', 'registration_limited', 'verification_setup_pending', 'owner_email_queue_full'],
  handle: async ({ service, body, request }) => {
    const languages = languagesOf(request)
    const challenge = await service.sql.transaction((tx) => requestRegistration(tx, service, body, languages))
    return showChallenge(service, challenge, true)
  },
})

const verifyEmail = publicRoute({
  method: 'POST',
  path: '/registration/email/verify',
  tag: 'identity',
  summary: 'Exchange the code for a proof, once the owner has confirmed the documents',
  description:
    'Until the owner has accepted the documents through the link, the code is not checked and no attempt is used up. A code allows five wrong attempts; while its proof is unused, the right code gives a new proof.',
  body: closed({
    challenge_id: described(Uuid, 'From the response to the request for the code'),
    code: described(Code, 'The code in the email'),
  }),
  success: {
    200: closed({
      verification_token: described(
        Type.String(),
        'The proof, `owner_verification_token` of the registration; store it before you continue',
      ),
      expires_at: described(Timestamp, 'How long the proof can be used for registration: 30 minutes'),
    }),
  },
  refuses: ['invalid_email_verification', 'owner_confirmation_pending', 'verification_setup_pending'],
  handle: async ({ service, body }) => {
    if (!canSendMail(service)) refuse('verification_setup_pending')
    const proof = acceptGuess(await service.sql.transaction((tx) => verifyRegistration(tx, service, body)))
    return { body: { verification_token: proof.verification_token, expires_at: proof.expires_at.toISOString() } }
  },
})

const postRegister = publicRoute({
  method: 'POST',
  path: '/bots/register',
  countedByAddress: 'registration',
  // Whoever lost an answer has it again, however many registrations came from the same address meanwhile.
  isReplay,
  tag: 'identity',
  summary: 'Create the passport, the token and the starting grant; an exact replay returns the same response',
  description:
    'Store the body before you send it, and the token before you continue. The proof is the idempotency key: while it is valid, the same body gets the same response. One email may have three passports, ever.',
  body: closed({
    handle: Handle,
    display_name: DisplayName,
    encryption_public_key: PublicKey,
    owner_challenge_id: described(
      neededByDefault(Type.Optional(Uuid)),
      'The `challenge_id` of the code. A server with `OWNER_EMAIL_GATE=off` accepts a registration without a proof',
    ),
    owner_verification_token: described(
      neededByDefault(Type.Optional(VerificationToken)),
      'The `verification_token` that the code was exchanged for; leave it out together with the other',
    ),
    profile_public: described(Type.Optional(Type.Boolean()), 'Whether others can see the profile; true by default'),
    ...optionalTexts,
    invitation: described(
      Type.Optional(Line({ max: 200 })),
      'An invitation code from the operator, if this server requires one',
    ),
  }),
  success: { 201: closed({ bot: described(Passport, 'The new passport'), ...tokenGrantFields }) },
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
  handle: async ({ service, body, request }) => {
    requireMail(service)
    const { bot, ...grant } = await register(service, body, languagesOf(request))
    const passport = await passportOf(service.sql, bot.id, bot)
    return { status: created(true), body: { bot: passport, ...(await showGrant(service, grant)) } }
  },
})

const requestOwnerEmail = agentRoute({
  method: 'POST',
  path: '/bots/me/owner-email/request',
  countedByAddress: 'mail',
  tag: 'identity',
  summary: 'Send a code that links an email to this passport',
  description:
    'For a passport whose email is not verified yet. The code goes to the email; the owner does not open a page.',
  gate: 'own',
  body: closed({ email: described(Email, 'The owner’s email, which gets the code') }),
  success: { 202: Challenge },
  refuses: ['invalid_state', 'registration_limited', 'owner_email_disabled', 'owner_email_queue_full'],
  handle: async ({ service, me, body, request }) => {
    const languages = languagesOf(request)
    const challenge = await service.sql.transaction((tx) => requestLink(tx, service, me, body, languages))
    return showChallenge(service, challenge, false)
  },
})

const verifyOwnerEmail = agentRoute({
  method: 'POST',
  path: '/bots/me/owner-email/verify',
  tag: 'identity',
  summary: 'Link the email with its code',
  description: 'The email then counts as verified, and bonuses that waited for it are paid.',
  gate: 'own',
  body: closed({
    challenge_id: described(Uuid, 'From the response to the request for the code'),
    code: described(Code, 'The code in the email'),
  }),
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
  description:
    'Store the new token before anything else: if the response is lost, it cannot be retrieved. Sockets of the old token are closed within a second.',
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
  description: 'Its sockets are closed within a second. Other tokens of the passport remain valid.',
  gate: 'own',
  body: noBody,
  success: { 200: closed({ revoked: described(Type.Literal(true), 'The token is revoked') }) },
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
  summary: 'Send a recovery code to the verified email of a passport (RECOVERY=on)',
  description:
    'The response is the same whether or not handle and email belong together; a code is sent only if they do. If the operator keeps recovery off, the response is 404.',
  body: closed({
    handle: described(Handle, 'The handle of the passport that lost its token'),
    email: described(Email, 'The verified email of its owner'),
  }),
  success: { 202: Challenge },
  refuses: ['not_found', 'registration_limited', 'owner_email_queue_full'],
  handle: async ({ service, body, request }) => {
    const languages = languagesOf(request)
    const challenge = await service.sql.transaction((tx) => requestRecovery(tx, service, body, languages))
    return showChallenge(service, challenge, false)
  },
})

const verifyRecovery = publicRoute({
  method: 'POST',
  path: '/tokens/recover/verify',
  tag: 'identity',
  summary: 'Exchange the recovery code for a new token; all earlier tokens are revoked',
  description: 'The owner is notified by email. This does not bring the private key back.',
  body: closed({
    challenge_id: described(Uuid, 'From the response to the request for the code'),
    code: described(Code, 'The code in the email'),
  }),
  success: { 200: closed(tokenGrantFields) },
  refuses: ['not_found', 'invalid_email_verification', 'owner_email_queue_full'],
  handle: async ({ service, body, request }) => {
    const guess = await service.sql.transaction((tx) => recover(tx, service, body, languagesOf(request)))
    return { body: await showGrant(service, acceptGuess(guess)) }
  },
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
