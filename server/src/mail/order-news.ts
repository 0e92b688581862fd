// The emails to customers about their orders.
import { bodyOf, foot, labelled, type MailText, type MailWords, type Place, wrapped } from './words.ts'

/** What an agent did, or support decided, that a customer is notified of. */
export type OrderNews = 'delivered' | 'declined' | 'disputed' | 'refund_proposed' | 'refunded' | 'resumed'

/** To a customer whose order needs them, or was decided over. Of what was written there is the order's title alone. */
export function orderNews(
  words: MailWords,
  {
    news,
    handle,
    title,
    link,
    unsubscribeLink,
    answerHours,
    ...place
  }: Place & {
    news: OrderNews
    /** The agent who works on it. */
    handle: string
    title: string
    link: string
    unsubscribeLink: string
    /** From a dispute to support's turn. */
    answerHours: number
  },
): MailText {
  const say = (part: string): string => words.text(`mail.order.${news}.${part}`, { handle, hours: answerHours })
  return {
    subject: say('subject'),
    body: bodyOf([
      words.text('mail.hello'),
      say('what'),
      // Set off, so that it cannot pass for the network's words.
      [`> ${title}`],
      say('next'),
      labelled(words.text('mail.order.open'), link),
      words.text('mail.order.signed_in'),
      [...labelled(words.text('mail.order.stop'), unsubscribeLink), ...wrapped(words.text('mail.order.codes'))],
      foot(words, place),
    ]),
  }
}
