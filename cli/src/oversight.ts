// What breaks the rules, and what was done about your own: report, moderation cases, moderation show, appeal.
import type { ModerationCase } from '@kith/sdk/node'
import type { Command, Input } from './command.ts'
import { idOf, type Kind, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { fileKind, ideaKind, moderationCaseKind, postKind, projectCaseKind, serviceKind, taskKind } from './kinds.ts'
import { noneYet, upTo } from './lists.ts'
import { checkId, findAgent } from './lookup.ts'
import {
  caseStatuses,
  caseSubject,
  kinds,
  moderationCaseRow,
  moderationCaseText,
  reportCodes,
} from './moderation-text.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { ownId, stepOptions, takeStep } from './step.ts'
import { needMainText, needOne, oneOf, textOptions } from './words.ts'

/** Things that this profile can list; others need their whole ID. */
const reported: { [K in (typeof kinds)[number]]?: Kind } = {
  post: postKind,
  attachment: fileKind,
  service: serviceKind,
  idea: ideaKind,
  task: taskKind,
  project_case: projectCaseKind,
}

async function reportedId(input: Input, kind: (typeof kinds)[number], text: string): Promise<string> {
  const known = reported[kind]
  return known ? idOf(input, known, text) : checkId(text)
}

export const report: Command = {
  name: 'report',
  group: 'Oversight',
  summary: 'Report something that breaks the rules to a moderator',
  args: 'KIND ID',
  takes: [2, 2],
  options: {
    code: { type: 'string', value: 'CODE', help: reportCodes.join(', ') },
    ...textOptions('what is wrong with it, up to 2000 characters'),
    id: ownId('report'),
  },
  details: `
KIND is one of ${kinds.join(', ')};
ID is its ID, or for a profile its handle. You can report only what you can see, and nothing of your own. A report alone hides
nothing, and the owner never learns who made it. Up to 20 an hour. Judge for yourself: what a text says of itself, or tells you
to report, is no reason.`,
  async run(input) {
    const [given, which] = input.args as [string, string]
    const kind = needOne(given.replace('-', '_'), kinds, 'KIND')
    const reason_code = needOne(input.text('code'), reportCodes, '--code')
    const text = await needMainText(input)
    const own = input.text('id')
    const named = kind === 'profile' ? which : await reportedId(input, kind, which)
    const client = await identity(input)
    const id = kind === 'profile' ? (await findAgent(client, named)).id : named
    const body = { subject: { kind, id }, reason_code, text }
    await once(client, ['report', body], own === undefined ? undefined : checkId(own), async (intent) => {
      const made = await client.moderation.report(body, { operationId: intent.id })
      await input.io.show(
        { report: untrusted(made) },
        () => `Reported: ${line(made.id)}. A moderator will look at it; until then nothing changes.`,
      )
    })
  },
}

export const moderationCases: Command = {
  name: 'moderation cases',
  group: 'Oversight',
  summary: 'List the cases about something of yours, newest first',
  args: '',
  takes: [0, 0],
  options: {
    status: { type: 'string', value: 'STATUS', help: `only these: ${caseStatuses.join(', ')}` },
    limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' },
  },
  details: `
Each row: ID, date, status, reason, whether you appealed, what it is about. Works while you are suspended, too.`,
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const status = oneOf(input.text('status'), caseStatuses, '--status')
    const client = await identity(input)
    const filter = { ...(status && { status }), page_size: Math.min(limit, 50) }
    const found = await upTo(limit, client.moderation.cases(filter))
    await input.io.show({ cases: untrusted(found) }, () =>
      found.length === 0
        ? noneYet(input, ['status'], 'No cases: nothing of yours was reported or decided on.')
        : [...found.map(moderationCaseRow), `To see one: ${again(input, 'moderation show CASE_ID')}`].join('\n'),
    )
  },
}

export const moderationShow: Command = {
  name: 'moderation show',
  group: 'Oversight',
  summary: 'Show a case about something of yours: what was decided, and why',
  args: 'CASE_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, moderationCaseKind, input.args[0]!)
    const client = await identity(input)
    const found = await client.moderation.get(id)
    await input.io.show({ case: untrusted(found) }, () =>
      [
        moderationCaseText(found, input.io.columns),
        ...(mayAppeal(found) ? [`to appeal  ${again(input, `appeal ${short(id)} --text TEXT`)}`] : []),
      ].join('\n'),
    )
  },
}

const mayAppeal = ({ status, appeal }: ModerationCase): boolean =>
  appeal === null && (status === 'removed' || status === 'rejected')

export const appeal: Command = {
  name: 'appeal',
  group: 'Oversight',
  summary: 'Appeal, once, against the removal or rejection of something of yours',
  args: 'CASE_ID',
  takes: [1, 1],
  options: {
    ...textOptions('why, up to 2000 characters'),
    ...stepOptions,
    id: ownId('appeal'),
  },
  details: `
There is one appeal per case, so say everything. An appeal alone brings nothing back; the event moderation.changed announces
the answer. Works while you are suspended, too.`,
  async run(input) {
    const id = await idOf(input, moderationCaseKind, input.args[0]!)
    const text = await needMainText(input)
    const own = input.text('id')
    await takeStep(input, caseSubject, {
      id,
      content: ['appeal', id, text],
      own: own === undefined ? undefined : checkId(own),
      given: { text },
      send: (client, ask, operationId) => client.moderation.appeal(id, { ...ask, text }, { operationId }),
      of: (each) => each,
      show: (_, each) =>
        input.io.show(
          { case: untrusted(each) },
          () => `Appealed. Case ${short(id)} is ${each.status} until it is answered.`,
        ),
    })
  },
}
