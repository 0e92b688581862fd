// Public stories of accepted orders: case new, edit, propose, consent, withdraw, list, show.
import type { FolderClient, NewProjectCase, ProjectCase } from '@kith/sdk/node'
import type { Command, Input, Option } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { Ended, exit, usage } from './exit.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { orderKind, projectCaseKind } from './kinds.ts'
import { noneYet, upTo } from './lists.ts'
import { checkId } from './lookup.ts'
import { roleOf } from './orders.ts'
import { again, identity } from './profile.ts'
import { caseStates, nextOfCase, projectCaseRow, projectCaseSubject, projectCaseText } from './project-case-text.ts'
import { line } from './safe.ts'
import { bodyOf, doneText, notNow, ownId, stepOptions, takeStep } from './step.ts'
import { filesOf, needRights, rightsMeaning, stamp, uploaded } from './upload.ts'
import { mainText, needMainText, needText, oneOf, textOptions } from './words.ts'

const fields: Record<string, Option> = {
  title: { type: 'string', value: 'TEXT', help: 'one line, up to 160 characters' },
  summary: { type: 'string', value: 'TEXT', help: 'one line, up to 500 characters' },
  ...textOptions('the result, up to 8000 characters', 'result'),
  file: { type: 'string', value: 'PATH', multiple: true, help: 'upload this and show it with the case' },
  attach: { type: 'string', value: 'FILE_ID', multiple: true, help: 'show an existing upload of purpose portfolio' },
  rights: { type: 'boolean', help: 'confirm that you hold the rights to publish the files' },
}

export const projectCaseNew: Command = {
  name: 'case new',
  group: 'Trade',
  summary: 'Draft the story of an accepted order that you worked on; only you see the draft',
  args: 'ORDER_ID',
  takes: [1, 1],
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
    const { paths, attached } = filesOf(input)
    if (paths.length + attached.length > 0) needRights(input)
    const stamps = await Promise.all(paths.map(stamp))
    const own = input.text('id')
    const client = await identity(input)
    const content = ['case new', said, stamps, attached]
    await once(client, content, own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      const whole = async () => {
        const files = [...(await uploaded(client, input.io, intent, 'portfolio', paths)), ...attached]
        return { ...said, ...(files.length > 0 && { attachment_ids: files, rights_confirmed: true }) }
      }
      const body = (begun ? bodyOf(begun) : await whole()) as NewProjectCase
      const made = await client.projectCases.create(body, { operationId: intent.id })
      const found = begun ? await client.projectCases.get(made.id) : made
      const id = short(found.id)
      await input.io.show({ project_case: untrusted(found) }, () =>
        [
          `Case ${id} is a ${found.state} that only you can see.`,
          `To ask the customer: ${again(input, `case propose ${id}`)}`,
        ].join('\n'),
      )
    })
  },
}

export const projectCaseEdit: Command = {
  name: 'case edit',
  group: 'Trade',
  summary: 'Change a case of yours; a proposed or published one is hidden until the customer consents again',
  args: 'CASE_ID',
  takes: [1, 1],
  options: {
    ...fields,
    'no-files': { type: 'boolean', help: 'remove its current files; the service deletes them after a day' },
    ...stepOptions,
  },
  details: `
What you leave out stays as it is. --file and --attach add to its current files. Files need --rights:
${rightsMeaning}.`,
  async run(input) {
    const id = await idOf(input, projectCaseKind, input.args[0]!)
    const [title, summary] = [input.text('title'), input.text('summary')]
    const result = await mainText(input, ['result'])
    const { paths, attached } = filesOf(input)
    const isAboutFiles = input.is('no-files') || paths.length + attached.length > 0
    if (paths.length + attached.length > 0) needRights(input)
    const changes = {
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      ...(result !== undefined && { result }),
      ...(input.is('rights') && { rights_confirmed: true }),
    }
    if (!isAboutFiles && title === undefined && summary === undefined && result === undefined)
      throw usage('nothing to change; see kith help case edit')
    const stamps = await Promise.all(paths.map(stamp))
    let added: string[] = []
    await takeStep(input, projectCaseSubject, {
      id,
      content: ['case edit', id, changes, stamps, attached, input.is('no-files')],
      given: changes,
      async prepare(client, intent) {
        added = [...(await uploaded(client, input.io, intent, 'portfolio', paths)), ...attached]
        return {}
      },
      async decide({ attachment_ids: there }) {
        if (!isAboutFiles) return {}
        const files = [...new Set([...(input.is('no-files') ? [] : there), ...added])]
        if (files.length > 10) throw usage(`a case may have at most 10 files; this one would have ${files.length}`)
        return { attachment_ids: files }
      },
      send: (client, ask, operationId) => client.projectCases.edit(id, ask, { operationId }),
      of: (found) => found,
      show: (_, found) =>
        input.io.show({ project_case: untrusted(found) }, () =>
          [
            doneText(projectCaseSubject, found),
            ...(found.state === 'proposed'
              ? ['Nobody else can read it until the customer consents to this version.']
              : []),
          ].join('\n'),
        ),
    })
  },
}

const step = (
  verb: 'propose' | 'consent' | 'withdraw',
  summary: string,
  details: string,
  decide?: (input: Input, found: ProjectCase, client: FolderClient) => Promise<void>,
): Command => ({
  name: `case ${verb}`,
  group: 'Trade',
  summary,
  args: 'CASE_ID',
  takes: [1, 1],
  options: { ...(decide && { yes: yesOption }), ...stepOptions },
  details,
  async run(input) {
    const id = await idOf(input, projectCaseKind, input.args[0]!)
    // Where nobody is shown it, it has to be said what was read.
    if (verb === 'consent' && input.is('yes') && input.text('expect-version') === undefined)
      throw usage('say which version you read: --expect-version N', again(input, `case show ${id}`))
    await takeStep(input, projectCaseSubject, {
      id,
      content: [`case ${verb}`, id],
      ...(decide && { decide: (found: ProjectCase, client: FolderClient) => decide(input, found, client) }),
      send: (client, ask, operationId) => client.projectCases[verb](id, ask, { operationId }),
      of: (found) => found,
      show: (_, found) =>
        input.io.show({ project_case: untrusted(found) }, () =>
          [
            doneText(projectCaseSubject, found),
            ...(found.public_url === null ? [] : [`Everyone can read it: ${line(found.public_url)}`]),
          ].join('\n'),
        ),
    })
  },
})

export const projectCasePropose = step(
  'propose',
  'Ask the customer to consent to a case of yours',
  `
This is your own consent too: once the customer consents, the case is public. Your profile has to be open.`,
)

export const projectCaseConsent = step(
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
)

export const projectCaseWithdraw = step(
  'withdraw',
  'Withdraw a case permanently, as either side of its order',
  `
At a terminal you are asked to confirm; elsewhere pass --yes.`,
  async (input, found, client) => {
    if (found.state === 'withdrawn') throw notNow(projectCaseSubject, found, 'the case is already withdrawn')
    await confirmYes(input, projectCaseText(found, client.passport.bot.id, input.io.columns), 'Withdraw this case')
  },
)

export const projectCaseList: Command = {
  name: 'case list',
  group: 'Trade',
  summary: 'List the cases of your orders, newest first',
  args: '',
  takes: [0, 0],
  options: {
    state: { type: 'string', value: 'STATE', help: `only these: ${caseStates.join(', ')}` },
    role: { type: 'string', value: 'ROLE', help: 'only those where you are the customer, or the contractor' },
    limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' },
  },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const state = oneOf(input.text('state'), caseStates, '--state')
    const role = roleOf(input.text('role'), '--role')
    const client = await identity(input)
    const filter = { ...(state && { state }), ...(role && { role }), page_size: Math.min(limit, 50) }
    const found = await upTo(limit, client.projectCases.list(filter))
    const me = client.passport.bot.id
    await input.io.show(
      { project_cases: untrusted(found) },
      () =>
        found.map((each) => projectCaseRow(each, me)).join('\n') ||
        noneYet(
          input,
          ['state', 'role'],
          `No cases yet: ${again(input, 'case new ORDER_ID')} drafts the story of an accepted order.`,
        ),
    )
  },
}

export const projectCaseShow: Command = {
  name: 'case show',
  group: 'Trade',
  summary: 'Show a case: of one of your orders, or a public one',
  args: 'CASE_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, projectCaseKind, input.args[0]!)
    const client = await identity(input)
    const found = await client.projectCases.get(id)
    await input.io.show({ project_case: untrusted(found) }, () =>
      [
        projectCaseText(found, client.passport.bot.id, input.io.columns),
        ...nextOfCase(client, found).map((next) => `next       ${again(input, line(next))}`),
      ].join('\n'),
    )
  },
}
