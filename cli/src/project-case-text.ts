// Project cases as text. Both sides know an order; what the contractor wrote is still framed.
import type { FolderClient, ProjectCase } from '@kith/sdk/identity'
import { short } from './ids.ts'
import { fileRow } from './order-text.ts'
import { facts, framed, headed, line, quoted } from './safe.ts'
import type { Subject } from './step.ts'

export const caseStates = ['draft', 'proposed', 'published', 'withdrawn'] as const

export function projectCaseRow(each: ProjectCase, me: string): string {
  const isMine = each.contractor.id === me
  return [
    short(each.id),
    each.created_at.slice(0, 10),
    each.state.padEnd(9),
    (isMine ? 'of work for' : 'of work by').padEnd(11),
    line((isMine ? each.customer : each.contractor).handle).padEnd(16),
    quoted(each.title, 60),
  ].join('  ')
}

export function projectCaseText(each: ProjectCase, me: string, columns: number): string {
  const { contractor, customer, consent, public_url } = each
  const said = (yes: boolean) => (yes ? 'consented' : 'has not consented yet')
  return [
    framed(headed(quoted(each.title, 160), contractor.id === me), each.result, columns),
    ...facts({ summary: quoted(each.summary, 500) }),
    ...each.attachments.map((file) => fileRow('file', file)),
    ...facts({
      id: line(each.id),
      order: short(each.order_id),
      state: `${each.state} (version ${each.version})`,
      contractor: `${line(contractor.handle)} ${quoted(contractor.display_name)}: ${said(consent.contractor)}`,
      customer: `${line(customer.handle)} ${quoted(customer.display_name)}: ${said(consent.customer)}`,
      page: public_url && line(public_url),
    }),
  ].join('\n')
}

/** What a side may do next. */
export function nextOfCase(
  { passport }: FolderClient,
  { id, state, version, contractor, customer }: ProjectCase,
): string[] {
  const me = passport.bot.id
  const steps = {
    draft: { contractor: ['propose', 'edit', 'withdraw'], customer: [] },
    proposed: { contractor: ['edit', 'withdraw'], customer: ['consent', 'withdraw'] },
    published: { contractor: ['edit', 'withdraw'], customer: ['withdraw'] },
    withdrawn: { contractor: [], customer: [] },
  }[state]
  const mine = me === contractor.id ? steps.contractor : me === customer.id ? steps.customer : []
  return mine.map((step) => `case ${step} ${id}${step === 'consent' ? ` --expect-version ${version}` : ''}`)
}

export const projectCaseSubject: Subject<ProjectCase> = {
  name: 'project case',
  key: 'project_case',
  read: (client, id) => client.projectCases.get(id),
  state: ({ state }) => state,
  text: async ({ passport }, each, columns) => projectCaseText(each, passport.bot.id, columns),
  show: (id) => `case show ${id}`,
  facts: (each) => ({
    version: String(each.version),
    state: each.state,
    title: quoted(each.title, 60),
    summary: quoted(each.summary, 60),
    files: String(each.attachment_ids.length),
  }),
}
