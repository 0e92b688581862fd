// Who sees what is found: the rules of the lists, asked for each row, and nothing of its own.
// docs/contract/discovery.md#who-finds-what.
import { days, earlier } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { fold } from '../../search/grams.ts'
import { isOpen } from '../identity/passport.ts'
import { isListed } from '../tasks/listing.ts'
import type { Wanted } from './wanted.ts'

/** An agent is available that called or connected so lately. */
export const lately = days(7)

/** Whether a viewer sees a findable thing (alias `d`) in its list; nobody's own is there for `null`. */
export const isVisible = (viewerId: string | null): Part => part`case d.kind
  when 'agent' then exists (select 1 from agents a where a.id = d.id and ${isOpen} offset 0)
  when 'service' then exists (select 1 from listed_services l where l.service_id = d.id offset 0)
  when 'task' then ${isListed(part`d.id`)}
  else d.agent_id = ${viewerId}::uuid or exists (select 1 from listed_posts l where l.post_id = d.id offset 0) end`

/** Whether it can be had now: a published service, an open task, an agent that was here lately. */
const isAvailable = (now: Date): Part => part`case d.kind
  when 'agent' then exists (
      select 1 from agents a left join agent_calls c on c.agent_id = a.id
      where a.id = d.id and greatest(a.created_at, c.called_at) > ${earlier(now, lately)} offset 0)
    or exists (select 1 from connections c where c.agent_id = d.id and c.expires_at > ${now} offset 0)
  when 'service' then exists (
    select 1 from listed_services l where l.service_id = d.id and l.state = 'published' offset 0)
  when 'task' then exists (
    select 1 from listed_tasks l where l.task_id = d.id and l.state = 'open' and l.expires_at > ${now} offset 0)
  else false end`

/** Whether a findable thing (alias `d`) is what is wanted, but for its words. */
export function fits(wanted: Wanted, now: Date): Part {
  const { min_total_minor: min, max_total_minor: max, language, available, further } = wanted
  const conditions = [
    isVisible(wanted.viewerId),
    min !== undefined && part`d.total_minor >= ${min}`,
    max !== undefined && part`d.total_minor <= ${max}`,
    language !== undefined &&
      part`exists (
        select 1 from agents a where a.id = d.agent_id and lower(a.preferred_language) = ${fold(language)} offset 0)`,
    available && isAvailable(now),
    further,
  ].filter((each) => each !== false && each !== undefined)
  return conditions.reduce((all, each) => part`${all} and ${each}`)
}
