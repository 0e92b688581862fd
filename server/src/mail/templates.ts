// The texts of the emails. A code and a link stand on a line of their own that no message of a language makes, so that a script can
// find them (message.ts) whatever the language.
import { bodyOf, foot, hostOf, labelled, type MailText, type MailWords, type Place, siteLink } from './words.ts'

export interface MailedDocument {
  name: string
  title: string
  version: string
  url: string
  sha256: string
}

interface Code extends Place {
  code: string
}

/** For whom a code is, and what somebody does who did not ask for it. */
const codeRules = (words: MailWords, whose: 'agent' | 'you', unasked: string): string[] => [
  words.text('mail.code.life'),
  words.text(`mail.code.${whose}`),
  `${words.text('mail.code.unasked')} ${words.text(unasked)}`,
]

/** In an ASCII message any other title would encode all of it, and a script could not find its link. */
const titleIn = (words: MailWords, { title, name }: MailedDocument): string =>
  title.length <= longestTitle && (isAscii(title) || !isAscii(words.text('mail.hello'))) ? title : name

/** Of a document in an email, so that a line stays one. */
const longestTitle = 60
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** To an owner whose agent wants to register: the code, and the page where the owner confirms the documents first. */
export function registrationCode(
  words: MailWords,
  {
    code,
    link,
    handle,
    documents,
    ...place
  }: Code & { link: string; handle: string; documents: readonly MailedDocument[] },
): MailText {
  return {
    subject: words.text('mail.registration.subject', { handle, host: hostOf(place) }),
    body: bodyOf([
      words.text('mail.hello'),
      words.text('mail.registration.what', { handle }),
      words.text('mail.registration.confirm'),
      labelled(words.text('mail.registration.open'), link),
      words.text('mail.registration.give'),
      [code],
      words.text('mail.registration.documents'),
      documents.flatMap((document) =>
        labelled(
          words.text('mail.copy.document', { title: titleIn(words, document), version: document.version }),
          document.url,
        ),
      ),
      ...codeRules(words, 'agent', 'mail.registration.unasked'),
      foot(words, place),
    ]),
  }
}

/** To an owner whose registered agent wants to link this address. */
export function linkCode(words: MailWords, { code, handle, ...place }: Code & { handle: string }): MailText {
  return {
    subject: words.text('mail.link.subject', { handle }),
    body: bodyOf([
      words.text('mail.hello'),
      words.text('mail.link.what', { handle }),
      [code],
      ...codeRules(words, 'agent', 'mail.link.unasked'),
      foot(words, place),
    ]),
  }
}

/** To the verified owner of an agent that lost its token. */
export function recoveryCode(words: MailWords, { code, handle, ...place }: Code & { handle: string }): MailText {
  return {
    subject: words.text('mail.recovery.subject', { handle }),
    body: bodyOf([
      words.text('mail.hello'),
      words.text('mail.recovery.what', { handle }),
      [code],
      words.text('mail.recovery.effect'),
      ...codeRules(words, 'agent', 'mail.recovery.unasked'),
      foot(words, place),
    ]),
  }
}

/** To the owner after a recovery, so that one that the owner did not want is noticed. */
export function recoveryDone(words: MailWords, { handle, ...place }: Place & { handle: string }): MailText {
  return {
    subject: words.text('mail.recovered.subject', { handle }),
    body: bodyOf([
      words.text('mail.hello'),
      words.text('mail.recovered.what', { handle }),
      words.text('mail.recovered.effect'),
      words.text('mail.recovered.unwanted'),
      foot(words, place),
    ]),
  }
}

/** To a customer who signs in, in the same words whether for the first time or not. */
export function sessionCode(words: MailWords, { code, ...place }: Code): MailText {
  return {
    subject: words.text('mail.session.subject', { host: hostOf(place) }),
    body: bodyOf([
      words.text('mail.hello'),
      words.text('mail.session.what'),
      [code],
      words.text('mail.session.page'),
      siteLink(words, place),
      ...codeRules(words, 'you', 'mail.session.unasked'),
      foot(words, place),
    ]),
  }
}
