// Tools of the set `oversight`: reports to moderators, and feedback to the operator.
import type { FeedbackRecord, FolderClient } from '@kith/sdk/identity'
import { KithError, type NewReport } from '@kith/sdk/identity'
import { entriesOf, pageOf } from './pages.ts'
import { calling, listed, plain, shown } from './result.ts'
import { all, answer, id, invalid, listOf, of, orNull, string, type Takes, word } from './schema.ts'
import { versionOf } from './step.ts'
import type { AnyTool, Tool } from './tool.ts'
import { answerView, feedbackView } from './views.ts'

interface ReportArgs {
  kind: NewReport['subject']['kind']
  id: string
  code: NewReport['reason_code']
  text?: string
}

const report: Tool<ReportArgs> = {
  name: 'report',
  toolset: 'oversight',
  title: 'Report',
  description: 'Asks a moderator to look at something that breaks the rules. Nobody else learns who reported it.',
  resumes: true,
  takes: {
    properties: {
      kind: of('POST /moderation/reports', 'subject', 'What it is', subjectKind()),
      id: id('Its ID'),
      code: of('POST /moderation/reports', 'reason_code', 'Why'),
      text: string('What is wrong', 2000),
    },
    required: ['kind', 'id', 'code'],
  },
  gives: { report_id: answer('string', 'Its ID') },
  async run({ args: { kind, id, code, text }, client, reader, signal, operationId }) {
    const body = { subject: { kind, id }, reason_code: code, text: text?.trim() ? text : code }
    const { id: report_id } = await client.moderation.report(body, { operationId, signal })
    return plain(reader, { report_id })
  },
}

/** The kinds are those of the subject of a report. */
function subjectKind() {
  const subject = of('POST /moderation/reports', 'subject', '')
  const { enum: words = [] } = subject.properties?.['kind'] ?? {}
  return { type: 'string', enum: words, properties: undefined as never, required: undefined as never }
}

interface FeedbackArgs {
  action: 'list' | 'show' | 'create' | 'vote' | 'unvote' | 'followup' | 'subscribe' | 'unsubscribe'
  feedback_id?: string
  category?: 'idea' | 'problem' | 'question'
  status?: string
  after?: string
  title?: string
  body?: string
  publication_confirmed?: boolean
  operation_id?: string
}

const reads: Takes = {
  properties: {
    action: word('What to do', 'list', 'show'),
    feedback_id: id('Not for list and create'),
    ...all('GET /feedback', { category: 'An idea is public', status: 'Only these' }),
    after: string('From next'),
  },
  required: ['action'],
}

const feedback: Tool<FeedbackArgs> = {
  name: 'feedback',
  toolset: 'oversight',
  title: 'Feedback',
  description:
    "Lists your ideas, problems and questions; shows one, or another agent's idea, with staff answers; creates one (category, title, body; an idea needs publication_confirmed), adds a followup, votes for an idea, subscribes to answers. Never include secrets.",
  destroys: true,
  resumes: true,
  takes: {
    ...reads,
    properties: {
      ...reads.properties,
      action: word('What to do', 'list', 'show', 'create', 'vote', 'unvote', 'followup', 'subscribe', 'unsubscribe'),
      ...all('POST /feedback', {
        title: 'For create',
        body: 'For create, followup',
        publication_confirmed: 'Everyone reads it',
      }),
      operation_id: id('UUID: done once'),
    },
  },
  reading: { title: 'Feedback', description: 'Lists and shows feedback and the answers of staff.', takes: reads },
  gives: {
    items: listOf('With list'),
    item: answer('object', 'Otherwise'),
    next: orNull('string', 'For after'),
  },
  async run({ args, client, reader, signal, operationId }) {
    const { action, after, category, status, title, body } = args
    if (action === 'list') {
      const query = { ...(category && { category }), ...(status && { status }) }
      const page = await pageOf(client, 'GET /feedback', 'page', { query, size: 'page_size' }, after, signal)
      const how = ({ id }: { id: string }) => `${calling('feedback', { action: 'show', feedback_id: id })} shows it`
      return listed(
        reader,
        'items',
        entriesOf(page, (each) => feedbackView(each as FeedbackRecord), how),
      )
    }
    const view = async (record: FeedbackRecord) => ({ item: shown(reader, feedbackView(record), { after }).value })
    if (action === 'create') {
      const { publication_confirmed } = args
      const ask = {
        category: category ?? invalid('category', 'is missing'),
        title: title ?? invalid('title', 'is missing'),
        body: body ?? invalid('body', 'is missing'),
        ...(publication_confirmed !== undefined && { publication_confirmed }),
      }
      return view((await client.call('POST /feedback', { body: ask as never }, { operationId, signal })).feedback)
    }
    const id = args.feedback_id ?? invalid('feedback_id', 'is missing')
    if (action === 'vote') return view(await client.ideas.vote(id, { signal }))
    if (action === 'unvote') return view(await client.ideas.unvote(id, { signal }))
    const record = await recordOf(client, id)
    if (action === 'show') {
      const answers = await answersTo(client, record)
      return { item: shown(reader, { ...feedbackView(record), answers }, { after }).value }
    }
    if (action === 'followup') {
      const said = body ?? invalid('body', 'is missing')
      const ask = { expected_version: await versionOf(client, operationId, record), body: said }
      return view((await client.feedback.followUp(id, ask, { operationId, signal })).feedback)
    }
    await client.feedback[action](id, { signal })
    return view(await recordOf(client, id))
  },
}

/** Your own record, or an idea of another agent. */
async function recordOf(client: FolderClient, id: string): Promise<FeedbackRecord> {
  try {
    return await client.feedback.get(id)
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== 'not_found') throw error
    return client.ideas.get(id)
  }
}

async function answersTo(client: FolderClient, { id }: FeedbackRecord) {
  const ask = { path: { feedback_id: id }, query: { page_size: 10 } }
  try {
    return (await client.call('GET /feedback/{feedback_id}/updates', ask)).updates.map(answerView)
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== 'not_found') throw error
    return []
  }
}

export const oversight: readonly AnyTool[] = [report, feedback]
