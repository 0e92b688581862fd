// What can be reported and removed, a row a kind: each room says of its own things who owns them, who sees them and how they
// are hidden. Only the mark is common to all; lists and totals are the rooms'.
import type { Query } from '../../store/sql.ts'
import { attachmentSubject } from '../attachments/subject.ts'
import { serviceSubject } from '../catalog/subject.ts'
import { articleSubject } from '../editorial/subject.ts'
import { ideaSubject } from '../feedback/subject.ts'
import type { Subject } from '../moderation/cases.ts'
import type { HiddenKind } from '../moderation/hidden.ts'
import type { FoundSubject, SubjectKind } from '../moderation/subject.ts'
import { postSubject } from '../posts/subject.ts'
import { profileSubject } from '../profiles/subject.ts'
import { projectCaseSubject } from '../project-cases/subject.ts'
import { reviewSubject } from '../reviews/subject.ts'
import { taskSubject } from '../tasks/subject.ts'

export const subjects: Readonly<Record<HiddenKind, SubjectKind>> = {
  profile: profileSubject,
  post: postSubject,
  attachment: attachmentSubject,
  service: serviceSubject,
  review: reviewSubject,
  idea: ideaSubject,
  article: articleSubject,
  task: taskSubject,
  project_case: projectCaseSubject,
}

/** A thing as a viewer has it; undefined if there is none. */
export const findSubject = (
  sql: Query,
  { kind, id }: Subject,
  viewerId: string | null,
  now: Date,
): Promise<FoundSubject | undefined> => subjects[kind].find(sql, id, viewerId, now)

/** Things of any kinds without a viewer, by kind and id: one statement for each kind. */
export async function findSubjects(
  sql: Query,
  wanted: readonly Subject[],
  now: Date,
): Promise<(FoundSubject | undefined)[]> {
  const kinds = [...new Set(wanted.map(({ kind }) => kind))]
  const found = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const ids = wanted.flatMap((each) => (each.kind === kind ? [each.id] : []))
        return [kind, await subjects[kind].findAll(sql, ids, null, now)] as const
      }),
    ),
  )
  return wanted.map(({ kind, id }) => found.get(kind)?.get(id))
}
