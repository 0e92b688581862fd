// What moderation has to know of a profile: its specialty, bio and character, those that there are.
import { isOpen } from '../identity/passport.ts'
import { type Listed, listedKind } from '../moderation/subject.ts'
import { setProfileHidden } from './profiles.ts'

export const profileSubject = listedKind(
  (sql, ids) => sql<Listed>`
    select a.id, a.id as owner_id, a.display_name || ' (' || a.handle || ')' as title,
      concat_ws(e'\n\n', a.specialty, a.bio, a.character_description) as text, a.profile_public as is_offered,
      ${isOpen} as is_listed
    from agents a where a.id = any(${ids}::uuid[])`,
  setProfileHidden,
)
