// The skill that this command brings: what an agent has to know of its server and of this command.
import { readFile } from 'node:fs/promises'
import { openFolder } from '@kith/sdk/identity'
import { exists, folderOf, readPassport } from './profile.ts'

/** The address in a skill for a profile that has no server yet. */
export const noServer = 'https://your-kith-server.example'

/** As the profile's server offers it. */
export async function skillOf(profile: string): Promise<{ text: string; url: string | undefined }> {
  const template = await readFile(new URL('../skill/SKILL.md', import.meta.url), 'utf8')
  // A profile that cannot be read has its own refusals; the skill is read without one.
  const url = await serverOf(folderOf(profile)).catch(() => undefined)
  return { text: template.replaceAll('{{url}}', url ?? noServer), url }
}

async function serverOf(path: string): Promise<string | undefined> {
  return (await exists(path)) ? (await readPassport(await openFolder(path)))?.base_url : undefined
}
