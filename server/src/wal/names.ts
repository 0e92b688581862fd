// The names in an archive. A file of PostgreSQL's log of changes has 24 hexadecimal digits: its timeline, then its number in two
// halves. A timeline begins whenever a database is restored.

/** The segments that initdb makes: {@link segmentAfter} counts by it. */
const segmentSize = 16 * 1024 * 1024
const perLog = 0x1_0000_0000 / segmentSize

export const identityName = 'kith-archive.json'
export const logFolder = 'wal/'
export const baseFolder = 'base/'
export const fileFolder = 'files/'

const segmentPattern = /^[0-9A-F]{24}$/
/** Also the incomplete last segment of a timeline, the note of a base copy, and the origin of a timeline. */
const logFilePattern = /^(?:[0-9A-F]{24}(?:\.partial|\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/

export const isSegment = (name: string): boolean => segmentPattern.test(name)
export const isLogFile = (name: string): boolean => logFilePattern.test(name)
export const isHistory = (name: string): boolean => name.endsWith('.history')
export const timelineOf = (name: string): string => name.slice(0, 8)

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')

export function segmentAfter(name: string): string {
  const number = Number.parseInt(name.slice(8, 16), 16) * perLog + Number.parseInt(name.slice(16), 16) + 1
  return timelineOf(name) + hex(Math.floor(number / perLog)) + hex(number % perLog)
}

/** 256 segments to a folder, so that none grows large. */
export const keyOfLogFile = (name: string): string => `${logFolder}${name.slice(0, 16)}/${name}.zst`
export const logFolderOf = (timeline: string): string => `${logFolder}${timeline}`

/** The log file of a key; undefined if it is not one. */
export function logFileOf(key: string): string | undefined {
  const name = /^wal\/[\w.]+\/([\w.]+)\.zst$/.exec(key)?.[1]
  return name !== undefined && isLogFile(name) && keyOfLogFile(name) === key ? name : undefined
}

const labelPattern = /^\d{8}T\d{6}Z-[0-9A-F]{8}$/

/** A base copy is named after its beginning and its timeline; names of one archive sort by time. */
export const labelOf = (moment: Date, timeline: string): string =>
  `${moment.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z-${timeline}`

export const manifestOf = (label: string): string => `${baseFolder}${label}/manifest.json`
export const partOf = (label: string, index: number): string =>
  `${baseFolder}${label}/part-${String(index).padStart(6, '0')}`

/** The base copy that a key belongs to. */
export function labelOfKey(key: string): string | undefined {
  const label = /^base\/([^/]+)\/(?:manifest\.json|part-\d{6})$/.exec(key)?.[1]
  return label !== undefined && labelPattern.test(label) ? label : undefined
}
