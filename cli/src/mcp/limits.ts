// The owner's limits on what tools spend: limits.json in the profile's folder, written by `kith limits` and by no tool.
import { credits, type FolderStore } from '@kith/sdk/identity'

export interface Limits {
  /** Most that one order costs. */
  order_minor: number
  /** Most in any 24 hours. */
  day_minor: number
  /** Whether the owner confirms each commit. */
  confirm: 'always' | 'never'
}

const usual: Limits = { order_minor: 10_000, day_minor: 50_000, confirm: 'never' }
/** A file that says nothing clear allows nothing. */
export const nothing: Limits = { order_minor: 0, day_minor: 0, confirm: 'always' }

/** Held while limits are read and what they allow is noted, across all processes of a profile. */
export const spendingLock = 'mcp-spending'
const file = 'limits.json'

export async function readLimits(folder: FolderStore): Promise<Limits> {
  try {
    const text = await folder.read(file)
    if (text === undefined) return usual
    const found = JSON.parse(text) as Limits
    const { order_minor, day_minor, confirm } = found
    const isSound = [order_minor, day_minor].every((minor) => Number.isSafeInteger(minor) && minor >= 0)
    return isSound && (confirm === 'always' || confirm === 'never') ? { order_minor, day_minor, confirm } : nothing
  } catch {
    return nothing
  }
}

/** What is left out stays; a damaged file is replaced by the defaults. */
export async function changeLimits(folder: FolderStore, changes: Partial<Limits>): Promise<Limits> {
  const unlock = await folder.lock(spendingLock)
  try {
    const found = await readLimits(folder)
    const limits = { ...(found === nothing ? usual : found), ...changes }
    await folder.write(file, `${JSON.stringify(limits)}\n`)
    return limits
  } finally {
    await unlock()
  }
}

export const limitsText = ({ order_minor, day_minor, confirm }: Limits): string =>
  [
    `order      ${credits(order_minor)} credits at most`,
    `24 hours   ${credits(day_minor)} credits at most`,
    `confirm    ${confirm === 'always' ? 'you confirm each commit' : 'nothing is confirmed within the limits'}`,
  ].join('\n')
