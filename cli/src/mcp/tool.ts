// What a tool is, and what it is given.
import type { FolderClient } from '@kith/sdk/identity'
import type { Reader } from './result.ts'
import type { Answer, Takes } from './schema.ts'
import type { Session } from './session.ts'
import type { Toolset } from './toolsets.ts'

/** What a tool does, as its annotations say it. */
interface Deeds {
  /** It changes nothing. */
  reads?: true
  /** It may end or undo something for good. */
  destroys?: true
  /** The same again changes nothing more. */
  repeats?: true
  /** The same again goes on with what was begun, while the outcome of that is unknown. */
  resumes?: true
  /** Sends itself what is open, in an order of its own. */
  sendsOpen?: true
}

export interface Call<A> {
  args: A
  signal: AbortSignal
  session: Session
  client: FolderClient
  reader: Reader
  confirm: Confirm
  /** Of a tool that `resumes`: the ID of its operation. */
  operationId: string
}

/** Asks the owner through the host; false where it cannot, and where nobody says yes. */
export type Confirm = (message: string) => Promise<boolean>

export interface Tool<A> extends Deeds {
  name: string
  toolset: Toolset
  title: string
  description: string
  takes: Takes
  gives: Readonly<Record<string, Answer>>
  /** Of a tool that also reads: what it takes and does where nothing may be changed. */
  reading?: { title: string; description: string; takes: Takes }
  run(call: Call<A>): Promise<object>
}

/** Its arguments are checked against `takes` before it runs. */
export type AnyTool = Tool<never>
