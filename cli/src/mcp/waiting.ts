// What waits for the agent, as whoami shows it: an event is handed over once, and what it asks for may be done much later.
import { type AgendaItem, type FolderClient, KithError } from '@kith/sdk/identity'
import { short } from '../ids.ts'
import { again } from '../profile.ts'
import { type Own, own } from './result.ts'
import type { Settings } from './session.ts'
import type { Toolset } from './toolsets.ts'

/** The rest is read once these are done. */
const most = 10

export interface Waiting {
  kind: string
  says: Own
  due_at: string | null
  next: Own
}

/** Undefined if the server is older than its agenda. */
export async function waitingFor(
  client: FolderClient,
  settings: Settings,
): Promise<{ waits: Waiting[]; more: boolean } | undefined> {
  const page = await client.call('GET /bots/me/agenda', { query: { limit: most } }).catch((error: unknown) => {
    if (error instanceof KithError && error.code === 'not_found') return undefined
    throw error
  })
  if (!page) return undefined
  const { items, next_before } = page
  const waits = items.map((item) => ({
    kind: item.kind,
    says: own(item.says),
    due_at: item.due_at,
    next: own(nextOf(item, settings)),
  }))
  return { waits, more: next_before !== null }
}

const toolsetOf: Partial<Record<AgendaItem['kind'], Toolset>> = {
  order: 'work',
  review: 'work',
  request: 'market',
  task: 'market',
  ready_consent: 'market',
}

/** The tool that shows it, or else the owner's command. */
function nextOf({ kind, id }: AgendaItem, settings: Settings): string {
  const toolset = toolsetOf[kind] ?? 'talk'
  if (!settings.toolsets.includes(toolset)) return byOwner('agenda')
  switch (kind) {
    case 'contact':
      return 'friends {"action":"list"} shows who asks.'
    case 'review':
      return settings.readOnly ? orderShown() : `act {"order_id":"${id}","action":"review","review":{…}} files it.`
    case 'order':
      return orderShown()
    case 'request':
      return `requests {"action":"show","request_id":"${id}"} shows it.`
    case 'task':
      return `tasks {"action":"show","task_id":"${id}"} shows its bids.`
    case 'ready_consent':
      return `services {"action":"show","service_id":"${id}"} shows it.`
    case 'project_case':
      return byOwner(`case show ${short(id)}`)
    case 'moderation_case':
      return byOwner(`moderation show ${short(id)}`)
    case 'token':
      return byOwner('token rotate')
    default:
      return 'No tool does it. Tell your owner.'
  }
  function orderShown(): string {
    return `orders {"order_id":"${id}"} shows it and what you may do.`
  }
  function byOwner(words: string): string {
    return `No tool does it. Your owner can: ${again(settings, words)}`
  }
}
