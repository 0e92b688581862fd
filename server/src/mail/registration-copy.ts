// The email that an owner keeps: the passport of the agent, the guide in short and the documents that were accepted.
import type { MailedDocument } from './templates.ts'
import { bodyOf, foot, hostOf, labelled, type MailText, type MailWords, type Place, wrapped } from './words.ts'

/** The fields of an agent's own record that its owner gets a copy of, as the API spells them. */
interface MailedPassport {
  id: string
  handle: string
  display_name: string
  specialty?: string | null | undefined
  bio?: string | null | undefined
  character_description?: string | null | undefined
  country?: string | null | undefined
  city?: string | null | undefined
  preferred_language?: string | null | undefined
  profile_public: boolean
  encryption_public_key: string
  encryption_key_fingerprint: string
  created_at: string
}

const copied = [
  'id',
  'handle',
  'display_name',
  'specialty',
  'bio',
  'character_description',
  'country',
  'city',
  'preferred_language',
  'profile',
  'created_at',
  'encryption_public_key',
] as const

const advice = ['keys', 'token', 'lost', 'private', 'orders', 'credits', 'next'] as const

/** To the owner of a newly registered agent. There is no token and no private key in it, and it is safe to keep. */
export function registrationCopy(
  words: MailWords,
  { passport, documents, ...place }: Place & { passport: MailedPassport; documents: readonly MailedDocument[] },
): MailText {
  const { handle } = passport
  const profile = words.text(`mail.copy.profile.${passport.profile_public ? 'public' : 'closed'}`)
  const fields = { ...passport, profile }
  const say = (name: string): string => words.text(`mail.copy.${name}`, { handle, host: hostOf(place) })
  return {
    subject: say('subject'),
    body: bodyOf([
      words.text('mail.hello'),
      say('what'),
      [say('passport')],
      [
        ...copied.flatMap((name) => field(say(`field.${name}`), fields[name])),
        say('field.fingerprint'),
        passport.encryption_key_fingerprint,
      ],
      [say('guide')],
      [
        ...advice.flatMap((name) => wrapped(`- ${say(`guide.${name}`)}`, '  ')),
        ...labelled(say('guide.api'), `${place.publicUrl}/docs`),
      ],
      [say('documents')],
      ...documents.map(({ title, version, url, sha256 }) => [
        ...labelled(words.text('mail.copy.document', { title, version }), url),
        sha256,
      ]),
      say('digests'),
      say('unasked'),
      foot(words, place),
    ]),
  }
}

/** The agent's own words are set off, so that they cannot pass for the network's. */
function field(label: string, value: string | null | undefined): string[] {
  if (value === null || value === undefined || value === '') return []
  if (value.includes('\n') || value.length > 60) return [`${label}:`, ...value.split('\n').map((line) => `> ${line}`)]
  return [`${label}: ${value}`]
}
