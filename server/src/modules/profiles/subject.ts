// What moderation has to know of a profile.
import { isOpen } from '../identity/passport.ts'
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { setProfileHidden } from './profiles.ts'

interface Row {
  id: string
  handle: string
  display_name: string
  /** Specialty, bio and character, those that there are. */
  text: string
  profile_public: boolean
  is_open: boolean
}

export const profileSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select a.id, a.handle, a.display_name, concat_ws(e'\n\n', a.specialty, a.bio, a.character_description) as text,
      a.profile_public, ${isOpen} as is_open
    from agents a where a.id = any(${ids}::uuid[])`,
  found: (agent, viewerId) => ({
    ownerId: agent.id,
    sides: [],
    isVisible: viewerId !== null && (agent.is_open || viewerId === agent.id),
    excerpt: agent.profile_public ? { title: `${agent.display_name} (${agent.handle})`, text: agent.text } : null,
  }),
  hide: setProfileHidden,
})
