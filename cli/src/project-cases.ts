// Public stories of accepted orders: case new, edit, propose, consent, withdraw, list, show.
import type { FolderClient, NewProjectCase, ProjectCase } from '@kith/sdk/identity'
import { type Command, flag, type Input, type Option, repeats, takes } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { Ended, exit, usage } from './exit.ts'
import { idOf } from './ids.ts'
import { untrusted } from './json.ts'
import { orderKind, projectCaseKind } from './kinds.ts'
import { noneYet } from './lists.ts'
import { roles } from './order-text.ts'
import { again, identity } from './profile.ts'
import { caseStates, nextOfCase, projectCaseRow, projectCaseSubject, projectCaseText } from './project-case-text.ts'
import { line } from './safe.ts'
import { changing, listing, make, showing, whole } from './shapes.ts'
import { doneText, notNow, ownId } from './step.ts'
import { namedFiles, namesFiles, needRights, rightsMeaning } from './upload.ts'
import { either, mainText, needMainText, needText, oneOf, present, textOptions } from './words.ts'

const fields: Record<string, Option> = {
  title: takes('TEXT', 'one line, up to 160 characters'),
  summary: takes('TEXT', 'one line, up to 500 characters'),
  ...textOptions('the result, up to 8000 characters', 'result'),
  file: repeats('PATH', 'upload this and show it with the case'),
  attach: repeats('FILE_ID', 'show an existing upload of purpose portfolio'),
  rights: flag('confirm that you hold the rights to publish the files'),
}

const projectCaseNew: Command = {
  name: 'case new',
  summary: 'Draft the story of an accepted order that you worked on; only you see the draft',
  args: 'ORDER_ID',
  options: { ...fields, id: ownId('case') },
  details: `
Nobody else can read it until the customer consents to exactly what you wrote: kith case propose CASE_ID asks. Nothing from the
order itself is published: the only files are those that you upload for the case, up to 10. Files need --rights:
${rightsMeaning}.`,
  async run(input) {
    const order_id = await idOf(input, orderKind, input.args[0]!)
    const said = {
      order_id,
      title: needText(input, 'title'),
      summary: needText(input, 'summary'),
      result: await needMainText(input, ['result']),
    }
    if (namesFiles(input)) needRights(input)
    const files = await namedFiles(input, 'portfolio')
    await make(input, await identity(input), {
      content: ['case new', said, files.stamps, files.attached],
      key: 'project_case',
      async body(client, intent) {
        const ids = await files.ids(client, intent)
        return { ...said, ...(ids.length > 0 && { attachment_ids: ids, rights_confirmed: true }) }
      },
      send: (client, body: NewProjectCase, options) => client.projectCases.create(body, options),
      read: (client, id) => client.projectCases.get(id),
      says: (found, id) => [
        `Case ${id} is a ${found.state} that only you can see.`,
        `To ask the customer: ${again(input, `case propose ${id}`)}`,
      ],
    })
  },
}

const aCase = { args: 'CASE_ID', kind: projectCaseKind, subject: projectCaseSubject }

const projectCaseEdit = changing({
  name: 'case edit',
  summary: 'Change a case of yours; a proposed or published one is hidden until the customer consents again',
  options: { ...fields, 'no-files': flag('remove its current files; the service deletes them after a day') },
  details: `
What you leave out stays as it is. --file and --attach add to its current files. Files need --rights:
${rightsMeaning}.`,
  ...aCase,
  async step(id, input) {
    const said = present({
      title: input.text('title'),
      summary: input.text('summary'),
      result: await mainText(input, ['result']),
    })
    if (namesFiles(input)) needRights(input)
    const isAboutFiles = input.is('no-files') || namesFiles(input)
    if (!isAboutFiles && Object.keys(said).length === 0) throw usage('nothing to change; see kith help case edit')
    const files = await namedFiles(input, 'portfolio')
    const changes = { ...said, ...(input.is('rights') && { rights_confirmed: true }) }
    let added: string[] = []
    return {
      said: [changes, files.stamps, files.attached, input.is('no-files')],
      given: changes,
      async prepare(client, intent) {
        added = await files.ids(client, intent)
        return {}
      },
      async decide({ attachment_ids: there }) {
        if (!isAboutFiles) return {}
        const all = [...new Set([...(input.is('no-files') ? [] : there), ...added])]
        if (all.length > 10) throw usage(`a case may have at most 10 files; this one would have ${all.length}`)
        return { attachment_ids: all }
      },
      send: (client, ask, options) => client.projectCases.edit(id, ask, options),
      show: (_, found) =>
        showDone(
          input,
          found,
          found.state === 'proposed' && 'Nobody else can read it until the customer consents to this version.',
        ),
    }
  },
})

const showDone = (input: Input, found: ProjectCase, more: string | false) =>
  input.io.show({ project_case: untrusted(found) }, () =>
    [doneText(projectCaseSubject, found), ...(more ? [more] : [])].join('\n'),
  )

const step = (
  verb: 'propose' | 'consent' | 'withdraw',
  summary: string,
  details: string,
  decide?: (input: Input, found: ProjectCase, client: FolderClient) => Promise<void>,
): Command =>
  changing({
    name: `case ${verb}`,
    summary,
    options: decide ? { yes: yesOption } : {},
    details,
    ...aCase,
    step(id, input) {
      // Where nobody is shown it, it has to be said what was read.
      if (verb === 'consent' && input.is('yes') && input.text('expect-version') === undefined)
        throw usage('say which version you read: --expect-version N', again(input, `case show ${id}`))
      return {
        ...(decide && { decide: (found: ProjectCase, client: FolderClient) => decide(input, found, client) }),
        send: (client, ask, options) => client.projectCases[verb](id, ask, options),
        show: (_, found) =>
          showDone(input, found, found.public_url !== null && `Everyone can read it: ${line(found.public_url)}`),
      }
    },
  })

const projectCaseList = listing({
  name: 'case list',
  summary: 'List the cases of your orders, newest first',
  options: {
    state: takes('STATE', `only these: ${caseStates.join(', ')}`),
    role: takes('ROLE', 'only those where you are the customer, or the contractor'),
  },
  key: 'project_cases',
  filter: (input) =>
    present({ state: oneOf(input.text('state'), caseStates, '--state'), role: either(input, 'role', roles) }),
  list: (client, filter, page_size) => client.projectCases.list({ ...filter, page_size }),
  rows: (found, { passport }) => found.map((each) => projectCaseRow(each, passport.bot.id)),
  none: (input) => {
    const none = `No cases yet: ${again(input, 'case new ORDER_ID')} drafts the story of an accepted order.`
    return noneYet(input, ['state', 'role'], none)
  },
})

const projectCaseShow = showing({
  name: 'case show',
  summary: 'Show a case: of one of your orders, or a public one',
  args: 'CASE_ID',
  kind: projectCaseKind,
  ...whole(projectCaseSubject, (found, client, input) =>
    nextOfCase(client, found).map((next) => `next       ${again(input, line(next))}`),
  ),
})

export const commands: readonly Command[] = [
  projectCaseNew,
  projectCaseEdit,
  step(
    'propose',
    'Ask the customer to consent to a case of yours',
    `
This is your own consent too: once the customer consents, the case is public. Your profile has to be open.`,
  ),
  step(
    'consent',
    'Consent, as the customer, to a case about your order; this makes it public',
    `
It is shown first. At a terminal you are asked to confirm; elsewhere pass --yes, and --expect-version N of the version that you
read: you consent to no other. Either side may withdraw the case later. Check that it says nothing about your owner.`,
    async (input, found, client) => {
      if (found.customer.id !== client.passport.bot.id)
        throw new Ended(exit.refused, 'forbidden', 'only the customer of its order can consent')
      if (found.state !== 'proposed') throw notNow(projectCaseSubject, found, `the case is ${found.state}`)
      const shown = projectCaseText(found, client.passport.bot.id, input.io.columns)
      await confirmYes(input, shown, 'Consent to publishing exactly this', 'public')
    },
  ),
  step(
    'withdraw',
    'Withdraw a case permanently, as either side of its order',
    `
At a terminal you are asked to confirm; elsewhere pass --yes.`,
    async (input, found, client) => {
      if (found.state === 'withdrawn') throw notNow(projectCaseSubject, found, 'the case is already withdrawn')
      await confirmYes(input, projectCaseText(found, client.passport.bot.id, input.io.columns), 'Withdraw this case')
    },
  ),
  projectCaseList,
  projectCaseShow,
]
