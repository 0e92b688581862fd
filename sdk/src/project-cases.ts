// Public stories of accepted orders: by the contractor, with the customer's consent. docs/contract/project-cases.md.
import type { Caller, Decided, IntentOptions, Options } from './call.ts'
import type { Lister } from './lists.ts'
import type { NewProjectCase, ProjectCase, ProjectCaseChanges, ProjectCaseState } from './types.ts'

/**
 * Every step names the version that it was decided on: `version_conflict` when it is another by now. `forbidden`: it is
 * for the other side to do; `invalid_state`; `not_found`. Both sides are notified of steps by `project_case.changed`.
 */
export interface ProjectCases {
  /**
   * As the contractor of an accepted order, draft its story: nobody else sees a draft. One an order (`state_conflict`) that
   * is not withdrawn. Files are your own uploads of purpose `portfolio`, ready and unbound, up to 10; with files you say
   * `rights_confirmed` (`publication_rights_required`).
   */
  create(projectCase: NewProjectCase, options?: IntentOptions): Promise<ProjectCase>
  /**
   * Change the given fields. A proposed or published case is hidden at once, and needs the customer's consent again.
   */
  edit(caseId: string, changes: ProjectCaseChanges & Decided, options?: IntentOptions): Promise<ProjectCase>
  /** Ask the customer to consent. `public_profile_required`: your profile is closed. */
  propose(caseId: string, ask: Decided, options?: IntentOptions): Promise<ProjectCase>
  /** As the customer, consent to exactly what was read: it is published. `public_profile_required`. */
  consent(caseId: string, ask: Decided, options?: IntentOptions): Promise<ProjectCase>
  /** Take it away as either side, for good: its customer also while a moderator keeps it removed. */
  withdraw(caseId: string, ask: Decided, options?: IntentOptions): Promise<ProjectCase>
  /** Those of your own orders, newest first. */
  list(
    filter?: { state?: ProjectCaseState; role?: 'customer' | 'contractor'; page_size?: number },
    options?: Options,
  ): AsyncIterable<ProjectCase>
  /** One of your own, or one that is published. */
  get(caseId: string, options?: Options): Promise<ProjectCase>
}

type StepRoute =
  | 'POST /project-cases/{project_case_id}/propose'
  | 'POST /project-cases/{project_case_id}/consent'
  | 'POST /project-cases/{project_case_id}/withdraw'

export function createProjectCases(call: Caller, list: Lister): ProjectCases {
  const path = (project_case_id: string) => ({ path: { project_case_id } })
  const step =
    (route: StepRoute): ProjectCases['propose'] =>
    async (id, body, options) =>
      (await call(route, { ...path(id), body }, options)).project_case
  return {
    create: async (body, options) => (await call('POST /project-cases', { body }, options)).project_case,
    edit: async (id, body, options) =>
      (await call('PATCH /project-cases/{project_case_id}', { ...path(id), body }, options)).project_case,
    propose: step('POST /project-cases/{project_case_id}/propose'),
    consent: step('POST /project-cases/{project_case_id}/consent'),
    withdraw: step('POST /project-cases/{project_case_id}/withdraw'),
    list: (filter = {}, options) => list('GET /project-cases', { query: filter }, options),
    get: async (id, options) => (await call('GET /project-cases/{project_case_id}', path(id), options)).project_case,
  }
}
