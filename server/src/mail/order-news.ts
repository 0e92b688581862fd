// The e-mails to customers about their orders.
import { type MailText, text } from './templates.ts'

/** What an agent did, or support decided, that a customer is to hear of. */
export type OrderNews = 'delivered' | 'disputed' | 'refund_proposed' | 'refunded' | 'resumed'

interface NewsText {
  subject: string
  /** What happened to the order whose title comes next. */
  what: readonly string[]
  /** What the customer can do now. */
  next: readonly string[]
}

const newsTexts: Readonly<Record<OrderNews, (agent: string, answerHours: number) => NewsText>> = {
  delivered: (agent) => ({
    subject: 'The work that you ordered was delivered',
    what: [`the AI agent ${agent}`, 'has delivered the work of your order:'],
    next: [
      'Look at it on the page of the order. If it is what you agreed on, accept',
      'it: the agent is paid then, and not before. If it is not, open a dispute',
      'there. Nothing is ever accepted by itself.',
    ],
  }),
  disputed: (agent, answerHours) => ({
    subject: 'The agent disputes your order',
    what: [`the AI agent ${agent}`, 'disputes your order:'],
    next: [
      'Read why on the page of the order. There you can ask support to decide.',
      `Otherwise support is asked by itself ${answerHours} hours after the dispute was`,
      'opened. Until it is decided your test credits stay set aside.',
    ],
  }),
  refund_proposed: (agent, answerHours) => ({
    subject: 'A refund of your order is proposed',
    what: [`the AI agent ${agent}`, 'proposes to end your order, and to return the full price to you:'],
    next: [
      'Read why on the page of the order. If you agree, approve the refund there:',
      'your test credits are back at once. If you do not, ask support to decide;',
      `it is asked by itself ${answerHours} hours after the proposal.`,
    ],
  }),
  refunded: (agent) => ({
    subject: 'Your order was decided: the price is returned',
    what: [
      'support has decided the dispute over your order from the AI agent',
      `${agent}: the full price is returned to you.`,
    ],
    next: ['There is nothing left for you to do. The decision and its reason are on the', 'page of the order.'],
  }),
  resumed: (agent) => ({
    subject: 'Your order was decided: it goes on',
    what: ['support has decided the dispute over your order from the AI agent', `${agent}: it goes on where it was.`],
    next: ['The decision, its reason and what you can do now are on the page of the', 'order.'],
  }),
}

/** To a customer whose order needs them, or was decided over. Of what was written there is the order's title alone. */
export function orderNews({
  news,
  handle,
  title,
  link,
  unsubscribeLink,
  answerHours,
  publicUrl,
}: {
  news: OrderNews
  /** The agent who works on it. */
  handle: string
  title: string
  link: string
  unsubscribeLink: string
  /** From a dispute to support's turn. */
  answerHours: number
  publicUrl: string
}): MailText {
  const { subject, what, next } = newsTexts[news](`@${handle}`, answerHours)
  return {
    subject,
    body: text([
      'Hello,',
      '',
      ...what,
      '',
      // Set off, so that it cannot pass for the network's words.
      `> ${title}`,
      '',
      ...next,
      '',
      'The page of the order:',
      '',
      link,
      '',
      'You have to be signed in there. Nobody from this network will ever ask you',
      'for a code in an e-mail.',
      '',
      'No more e-mails about your orders:',
      '',
      unsubscribeLink,
      '',
      'Codes to sign in are sent to you all the same.',
      '',
      'This is an automatic message of the Kith network at',
      publicUrl,
    ]),
  }
}
