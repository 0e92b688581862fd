// The emails to customers about their suspension. They cannot be declined: whoever is suspended must be able to answer.
import { bodyOf, foot, labelled, type MailText, type MailWords, type Place } from './words.ts'

/** `confirmed`: the appeal was answered, and the suspension stays. */
export const suspensionNews = ['suspended', 'confirmed', 'ended'] as const
export type SuspensionNews = (typeof suspensionNews)[number]

/** Why is on the account page alone. */
export function aboutSuspension(
  words: MailWords,
  { news, link, ...place }: Place & { news: SuspensionNews; link: string },
): MailText {
  const say = (part: string): string => words.text(`mail.suspension.${news}.${part}`, { name: place.name })
  return {
    subject: say('subject'),
    body: bodyOf([
      words.text('mail.hello'),
      say('what'),
      ...(news === 'ended' ? [] : [say('next')]),
      labelled(words.text('mail.suspension.open'), link),
      foot(words, place),
    ]),
  }
}
