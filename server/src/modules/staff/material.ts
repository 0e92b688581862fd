// What whoever decides a case may look at, also where nobody else reads it: the whole text and the previews of its files. Each
// look at what strangers do not see is in the audit log. docs/contract/staff.md#looking.
import { refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { recordOnceSince } from '../../store/audit.ts'
import type { Query } from '../../store/sql.ts'
import { type AttachmentRow, isAvailable, previewOf, type ReadableRow } from '../attachments/cards.ts'
import { filesToJudge, findReadable, findToJudge } from '../attachments/visibility.ts'
import { isAppealed, type ModerationCase, type Subject } from '../moderation/cases.ts'
import type { Status } from '../moderation/machine.ts'
import type { FoundSubject } from '../moderation/subject.ts'
import type { Decider } from './decisions.ts'
import { isOwn, type Judge } from './judge.ts'
import { premoderationOf } from './premoderation.ts'
import { findSubject } from './subjects.ts'

export interface Material {
  /** All that it says; null if there is nothing for this reader. */
  text: string | null
  files: AttachmentRow[]
  /** Whether a stranger does not see it, so that a look at it is noted. */
  isWithheld: boolean
}

const none: Material = { text: null, files: [], isWithheld: false }

/** A stranger to everything, by whose eyes it is asked what anybody may see. */
const anybody = '00000000-0000-0000-0000-000000000000'

const subjectOf = ({ subject_kind: kind, subject_id: id }: ModerationCase): Subject => ({ kind, id })

/** While something of a case can be decided about what it shows: afterwards its files are nobody's to look at. */
const undecided: readonly Status[] = ['pending', 'removed', 'rejected']
const isStanding = (found: ModerationCase): boolean => undecided.includes(found.status) || isAppealed(found)

/** What a decider reads of the thing of a case: nothing of what concerns them, and nothing more once the case let it be. */
async function materialOf(sql: Query, now: Date, found: ModerationCase, judge?: Judge): Promise<Material> {
  const subject = subjectOf(found)
  const thing = await findSubject(sql, subject, anybody, now)
  if (!thing || (judge !== undefined && (await isOwn(sql, judge, [found.owner_id, ...thing.sides])))) return none
  const waiting = found.premoderation ? await premoderationOf(subject.kind).held(sql, subject.id) : null
  const text = waiting ?? textOf(thing)
  const isWithheld = text !== null && !thing.isVisible
  if (!isStanding(found)) return { ...none, isWithheld }
  return { text, files: isTold(thing, waiting) ? await filesToJudge(sql, subject) : [], isWithheld }
}

/** What its owner took from everybody is not judged. */
const isTold = ({ excerpt }: FoundSubject, waiting: string | null): boolean => waiting !== null || excerpt !== null

const textOf = ({ excerpt }: FoundSubject): string | null =>
  excerpt === null || excerpt.text === '' ? null : excerpt.text

/**
 * A file of the thing of a case, for its decider; `forbidden` if it concerns them, `not_found` if there is none, its bytes
 * are gone, or the case let the thing be.
 */
async function fileOf(
  sql: Query,
  now: Date,
  found: ModerationCase,
  fileId: string,
  judge?: Judge,
): Promise<ReadableRow> {
  const thing = await findSubject(sql, subjectOf(found), null, now)
  if (judge !== undefined && (await isOwn(sql, judge, [found.owner_id, ...(thing?.sides ?? [])]))) {
    refuse('forbidden', { message: 'You cannot judge what is yours, or of another passport of your owner' })
  }
  const { files } = await materialOf(sql, now, found)
  if (!files.some(({ id }) => id === fileId)) refuse('not_found')
  return findToJudge(sql, subjectOf(found), fileId)
}

/** As the audit log names a look. */
export const lookAction = 'moderation.look' as const

type Parts = Pick<Service, 'sql' | 'clock'>

interface Look extends Subject {
  caseId: string
}

/** Notes looks: one entry for each decider, case and thing on a day (UTC), before anything of it is handed out. */
export async function noteLooks({ sql, clock }: Parts, actor: string, looks: readonly Look[]): Promise<void> {
  if (looks.length === 0) return
  const day = new Date(clock.now())
  day.setUTCHours(0, 0, 0, 0)
  const entries = looks.map(({ caseId, kind, id }) => ({
    actor,
    action: lookAction,
    subject: caseId,
    reason: null,
    details: { kind, subject: id },
  }))
  await sql.transaction((tx) => recordOnceSince(tx, day, entries))
}

/** What a decider reads of a case that was opened, with the look at it. */
export async function look(service: Parts, found: ModerationCase, { actor, judge }: Decider): Promise<Material> {
  const material = await materialOf(service.sql, service.clock.now(), found, judge)
  if (material.isWithheld) await noteLooks(service, actor, [{ caseId: found.id, ...subjectOf(found) }])
  return material
}

/** A file that a decider looks at, with the look at it where not everybody may see it. */
export async function lookAtFile(
  service: Parts,
  found: ModerationCase,
  fileId: string,
  { actor, judge }: Decider,
): Promise<ReadableRow> {
  const file = await fileOf(service.sql, service.clock.now(), found, fileId, judge)
  if (!(await isPublic(service.sql, fileId))) {
    await noteLooks(service, actor, [{ caseId: found.id, kind: 'attachment', id: fileId }])
  }
  return file
}

const isPublic = (sql: Query, id: string): Promise<boolean> =>
  findReadable(sql, undefined, id).then(
    () => true,
    () => false,
  )

/** Cases of a list whose beginnings were taken from everybody else. */
export const takenAmong = (cases: readonly ModerationCase[]): Look[] =>
  cases
    .filter(({ status }) => status === 'removed' || status === 'rejected')
    .map((found) => ({ caseId: found.id, ...subjectOf(found) }))

/** A file of a case as its decider reads it; `url` leads to its preview. */
export const showJudged = (file: AttachmentRow, url: string) => ({
  id: file.id,
  file_format: file.file_format,
  size: file.bytes,
  width: file.width,
  height: file.height,
  duration_ms: file.duration_ms,
  available: isAvailable(file),
  preview_url: isAvailable(file) && previewOf(file) ? url : null,
})
