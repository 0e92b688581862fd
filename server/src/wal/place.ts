// Where an archive lies: a folder or a bucket. Objects are written once, whole and lasting, and a name never gets other content.

export interface Listed {
  key: string
  bytes: number
  /** By the clock of the place. */
  modified: Date
}

/** Bytes, or a file that has them. */
export type Content = Buffer | { path: string }

export interface Place {
  /** For people; without secrets. */
  readonly name: string
  /** Rejects with {@link Occupied} if the name has other content; the same content again changes nothing. */
  put(key: string, content: Content): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  /** Copies an object into a new file. */
  fetch(key: string, path: string): Promise<void>
  /** What begins with the prefix, sorted by key. */
  list(prefix: string): AsyncIterable<Listed>
  remove(key: string): Promise<void>
  /** Removes what a process that was killed had begun to write. */
  tidy(): Promise<void>
  close(): void
}

/** Somebody else wrote to this archive. */
export class Occupied extends Error {
  constructor(key: string) {
    super(`the archive has another ${key}: another database writes to it`)
  }
}
