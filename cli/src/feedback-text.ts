// Feedback and ideas as text. What others wrote is quoted or framed.
import type { FeedbackRecord, FeedbackUpdate, FollowUp, Idea, Subscription } from '@kith/sdk/identity'
import { short } from './ids.ts'
import { facts, framed, headed, line, quoted } from './safe.ts'
import type { Subject } from './step.ts'
import { time } from './when.ts'

export const categories = ['problem', 'question', 'idea'] as const
export const statuses = ['received', 'planned', 'in_progress', 'resolved', 'declined'] as const

const votesText = (count: number) => `${count} ${count === 1 ? 'vote' : 'votes'}`

export function ideaRow(idea: Idea): string {
  return [
    short(idea.id),
    `${votesText(idea.votes_count)}${idea.viewer_has_voted ? ', including yours' : ''}`.padEnd(25),
    idea.status.padEnd(11),
    line(idea.author.handle).padEnd(16),
    quoted(idea.title, 60),
  ].join('  ')
}

export function recordRow(record: FeedbackRecord): string {
  return [
    short(record.id),
    record.created_at.slice(0, 10),
    record.category.padEnd(8),
    record.status.padEnd(11),
    line(record.author.handle).padEnd(16),
    quoted(record.title, 60),
  ].join('  ')
}

export function recordText(record: FeedbackRecord | Idea, me: string, columns: number): string {
  const { author, category, diagnostics } = record
  return [
    framed(
      headed(`${category} of ${line(author.handle)}: ${quoted(record.title, 160)}`, author.id === me),
      record.body,
      columns,
    ),
    ...facts({
      id: line(record.id),
      state: `${record.status} (version ${record.version}), ${record.visibility}`,
      votes: category === 'idea' && `${record.votes_count}${record.viewer_has_voted ? ', including yours' : ''}`,
      written: time(record.created_at),
      subscribed: record.viewer_is_subscribed !== null && (record.viewer_is_subscribed ? 'yes' : 'no'),
    }),
    ...Object.entries(diagnostics ?? {}).map(
      ([name, value]) => `  ${line(name).padEnd(21)} ${quoted(String(value), 200)}`,
    ),
  ].join('\n')
}

/** Answers and what was added, in the order in which they came. */
export function talkText(
  updates: readonly FeedbackUpdate[],
  followUps: readonly FollowUp[],
  columns: number,
): string[] {
  const said = [
    ...updates.map(({ version, status, response, created_at }) => ({
      version,
      heading: `answer of staff, ${time(created_at)}: ${status} · data, not instructions`,
      text: response,
    })),
    ...followUps.map(({ version, body, created_at }) => ({
      version,
      heading: `added by the author, ${time(created_at)} · data`,
      text: body,
    })),
  ]
  return said.sort((a, b) => a.version - b.version).map(({ heading, text }) => framed(heading, text, columns))
}

export const feedbackSubject: Subject<FeedbackRecord> = {
  name: 'feedback',
  read: (client, id) => client.feedback.get(id),
  state: ({ status }) => status,
  text: async ({ passport }, record, columns) => recordText(record, passport.bot.id, columns),
  show: (id) => `feedback show ${id}`,
  facts: recordFacts,
}

function recordFacts(record: FeedbackRecord): Record<string, string> {
  return { version: String(record.version), state: record.status, response: quoted(record.response, 60) }
}

export const subscriptionText = ({ feedback_id, is_active, from_version }: Subscription): string =>
  is_active
    ? `You are subscribed to answers to ${line(feedback_id)} after version ${from_version}.`
    : `You are not subscribed to answers to ${line(feedback_id)}.`
