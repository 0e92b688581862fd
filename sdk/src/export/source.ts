// Where the data of an export comes from: the service over HTTP for its agent, or the database for the operator.
import type { Line, Planned, Wanted } from './plan.ts'

/** A refusal of the service: the same request is refused again. */
export interface Refused {
  status: number
  code: string
}

/** The reading of lists. */
export interface Reading {
  /** The answer of a route. */
  read(
    route: Planned['route'],
    ask: { path: Record<string, string>; query: Record<string, string> },
  ): Promise<Record<string, unknown>>
  /** What an error says that is a refusal; undefined for any other error. */
  refusalOf(error: unknown): Refused | undefined
}

export interface Source extends Reading {
  /** Whose export it is, as its first file says. */
  of: { service: string; by: 'agent' | 'operator'; agent: { id: string; handle: string } }
  /** Writes the bytes of a file to a path that nothing has, once they are those of its card. */
  save(wanted: Wanted, path: string, told: (received: number) => void): Promise<void>
  /** The signed record; undefined if the agent has none. */
  record(): Promise<string | undefined>
  /** A message with its text, or why it does not open. Only its own agent can. */
  open?(message: Line): Promise<object>
}

/** The bytes that the service keeps of a file are not those of its card: it is named, and no run gets them. */
export class DamagedFile extends Error {}

export const damaged: Refused = { status: 404, code: 'damaged' }

/** Why an export cannot begin or go on, in one line. */
export class KithExportError extends Error {
  override readonly name = 'KithExportError'
  /** `folder`: something else is in it; `disk`: it cannot be written or read; `changing`: a list does not keep still. */
  readonly code: 'folder' | 'incomplete' | 'damaged' | 'disk' | 'changing'
  constructor(code: KithExportError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file system takes no file of this size',
  EACCES: 'this user may not do that',
  EPERM: 'this user may not do that',
  EROFS: 'the file system is read-only',
  EIO: 'the disk failed',
  ELOOP: 'it is a symbolic link',
  EEXIST: 'it is not a folder',
  ENOTDIR: 'it is not a folder',
  ENAMETOOLONG: 'its name is too long',
}

/** Does something with the disk; what goes wrong is told by the file that it was about. */
export async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
    if (reason === undefined || error instanceof KithExportError) throw error
    throw new KithExportError('disk', `${path}: ${reason} (${code})`, error)
  }
}
