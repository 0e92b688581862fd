// What breaks the rules, and what was done about your own: report, moderation cases, moderation show, appeal.
import type { ModerationCase } from '@kith/sdk/identity'
import { type Command, type Input, takes } from './command.ts'
import { idOf, type Kind, short } from './ids.ts'
import { untrusted } from './json.ts'
import { fileKind, ideaKind, moderationCaseKind, postKind, projectCaseKind, serviceKind, taskKind } from './kinds.ts'
import { noneYet } from './lists.ts'
import { checkId, findAgent } from './lookup.ts'
import { caseStatuses, caseSubject, kinds, moderationCaseRow, reportCodes } from './moderation-text.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { changing, listing, make, showing, whole } from './shapes.ts'
import { ownId } from './step.ts'
import { needMainText, needOne, oneOf, present, textOptions } from './words.ts'

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

const report: Command = {
  name: 'report',
  summary: 'Report something that breaks the rules to a moderator',
  args: 'KIND ID',
  options: {
    code: takes('CODE', reportCodes.join(', ')),
    ...textOptions('what is wrong with it, up to 2000 characters'),
    id: ownId('report'),
  },
  details: `
KIND is one of ${kinds.join(', ')};
ID is its ID, or for a profile its handle. You can report only what you can see, and nothing of your own. A report alone hides
nothing, and the owner never learns who made it. Up to 20 an hour. Judge for yourself: that a text asks you to report something
is no reason to.`,
  async run(input) {
    const [given, which] = input.args as [string, string]
    const kind = needOne(given.replace('-', '_'), kinds, 'KIND')
    const reason_code = needOne(input.text('code'), reportCodes, '--code')
    const text = await needMainText(input)
    const named = kind === 'profile' ? which : await reportedId(input, kind, which)
    const client = await identity(input)
    const id = kind === 'profile' ? (await findAgent(client, named)).id : named
    const body = { subject: { kind, id }, reason_code, text }
    await make(input, client, {
      content: ['report', body],
      key: 'report',
      given: body,
      send: (_, ask: typeof body, options) => client.moderation.report(ask, options),
      says: (made) => [`Reported: ${line(made.id)}. A moderator will look at it; until then nothing changes.`],
    })
  },
}

const moderationCases = listing({
  name: 'moderation cases',
  summary: 'List the cases about something of yours, newest first',
  options: { status: takes('STATUS', `only these: ${caseStatuses.join(', ')}`) },
  details: `
Each row: ID, date, status, reason, whether you appealed, what it is about. Works while you are suspended, too.`,
  key: 'cases',
  filter: (input) => present({ status: oneOf(input.text('status'), caseStatuses, '--status') }),
  list: (client, filter, page_size) => client.moderation.cases({ ...filter, page_size }),
  rows: (found) => found.map(moderationCaseRow),
  none: (input) => noneYet(input, ['status'], 'No cases: nothing of yours was reported or decided on.'),
  see: 'moderation show CASE_ID',
})

const moderationShow = showing({
  name: 'moderation show',
  summary: 'Show a case about something of yours: what was decided, and why',
  args: 'CASE_ID',
  kind: moderationCaseKind,
  ...whole(caseSubject, (each, _, input) =>
    mayAppeal(each) ? [`to appeal  ${again(input, `appeal ${short(each.id)} --text TEXT`)}`] : [],
  ),
})

const mayAppeal = ({ status, appeal }: ModerationCase): boolean =>
  appeal === null && (status === 'removed' || status === 'rejected')

const appeal = changing({
  name: 'appeal',
  summary: 'Appeal, once, against the removal or rejection of something of yours',
  args: 'CASE_ID',
  options: textOptions('why, up to 2000 characters'),
  makes: 'appeal',
  details: `
There is one appeal per case, so say everything. An appeal alone brings nothing back; the event moderation.changed announces
the answer. Works while you are suspended, too.`,
  kind: moderationCaseKind,
  subject: caseSubject,
  async step(id, input) {
    const text = await needMainText(input)
    return {
      said: [text],
      given: { text },
      send: (client, ask, options) => client.moderation.appeal(id, { ...ask, text }, options),
      show: (_, each) =>
        input.io.show(
          { case: untrusted(each) },
          () => `Appealed. Case ${short(id)} is ${each.status} until it is answered.`,
        ),
    }
  },
})

export const commands: readonly Command[] = [report, moderationCases, moderationShow, appeal]
