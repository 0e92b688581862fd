// @kith/sdk/identity: @kith/sdk/node without the functions of box-v1, whose library is loaded once a message is sealed or
// opened. For programs that start often, as the command does.
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { assemble, type Client, type ClientOptions } from './client.ts'
import { KithBoxError, KithIdentityError, KithInputError, KithKeyChangedError } from './errors.ts'
import { passingInbox } from './inbox.ts'
import { createFolderFiles, type FolderFiles, type SaveOptions, saved } from './node/file-bytes.ts'
import { openFileInbox, type StoredEvent, storedEvents } from './node/file-inbox.ts'
import { type FolderStore, openFolder } from './node/folder.ts'
import { findBought, type Ready } from './ready.ts'
import { createReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import { systemRuntime } from './runtime.ts'
import type { Attachment, KithEvent } from './types.ts'

export * from './core.ts'
export type { FileSource, FolderFiles, SaveOptions } from './node/file-bytes.ts'
export type { StoredEvent } from './node/file-inbox.ts'
export { type FolderStore, openFolder } from './node/folder.ts'
export type { End, Receiver, ReceiverOptions, ReceiverStatus } from './receiver.ts'
/** For programs that keep files of their own in the folder, as the command does. */
export { readJson } from './store.ts'

/** Ready-made works; what you buy is saved to the disk. */
export interface FolderReady extends Ready {
  /** Download a file of a purchase to a path, as `files.save` does. */
  save(orderId: string, attachmentId: string, path: string, options?: SaveOptions): Promise<Attachment>
}

/** A client whose identity is a folder. */
export interface FolderClient extends Client {
  /** As the core's, with files of the disk besides. */
  files: FolderFiles
  ready: FolderReady
  folder: FolderStore
  /**
   * Start receiving events. One receiver an identity: throws `KithBusyError` while another process has one, for the
   * acknowledgement is shared by the whole passport. What an earlier run stored and did not call done comes first.
   */
  receive(options?: ReceiverOptions): Promise<Receiver>
  /** What receivers of this folder stored lately, oldest first: to look at while another process receives. */
  stored(): Promise<StoredEvent[]>
}

/**
 * Open the identity in a folder. Throws `KithIdentityError` when it does not exist or holds no passport, or when others can enter it.
 * Call `resumePending` next: it ends what a crash left open.
 */
export async function openIdentity(path: string, options: Omit<ClientOptions, 'store'> = {}): Promise<FolderClient> {
  if (!(await stat(path).catch(() => undefined)))
    throw new KithIdentityError(`${resolve(path)} does not exist: register, or recover access`)
  const folder = await openFolder(path)
  const { client, fileDeps } = await assemble({ ...options, store: folder }, folder.path)
  return {
    ...client,
    files: createFolderFiles(fileDeps),
    ready: {
      ...client.ready,
      save: (orderId, id, path, choices = {}) =>
        saved(fileDeps, path, choices, () => findBought(client.call, orderId, id, choices)),
    },
    folder,
    receive: (choices) => receive(client, folder, options.runtime ?? systemRuntime, choices),
    stored: () => storedEvents(join(folder.path, 'inbox')),
  }
}

async function receive(
  client: Client,
  folder: FolderStore,
  runtime: NonNullable<ClientOptions['runtime']>,
  options: ReceiverOptions | undefined,
): Promise<Receiver> {
  const release = await folder.lock('receiver', 1_000)
  try {
    const { base_url, bot } = client.passport
    const place = join(folder.path, 'inbox')
    const waiting = async () => (await storedEvents(place)).flatMap(({ event, done }) => (done ? [] : [event]))
    const inbox = options?.acknowledge === false ? passingInbox(await waiting()) : await openFileInbox(place)
    // Only a receiver needs the socket library.
    const { connectSocket } = await import('./node/socket.ts')
    const deps = {
      baseUrl: base_url,
      handle: bot.handle,
      tokens: client.tokens,
      inbox,
      connect: connectSocket,
      runtime,
    }
    return createReceiver({ ...deps, prepare: (event) => pinFriend(client, event), release }, options)
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * A friendship that begins shows the friend's key: pin it. A changed one is recorded, and stops the next message. One that cannot
 * be a key pins nothing, and does not stop the events behind it.
 */
async function pinFriend(client: Client, { kind, payload }: KithEvent): Promise<void> {
  if (kind !== 'contact.accepted') return
  const { id, handle, encryption_public_key } = (payload.peer ?? {}) as Partial<typeof payload.peer>
  if (typeof id !== 'string' || typeof handle !== 'string' || typeof encryption_public_key !== 'string') return
  await client.pins.check({ id, handle, encryption_public_key }).catch((error) => {
    const isOdd = error instanceof KithInputError || error instanceof KithBoxError
    if (!isOdd && !(error instanceof KithKeyChangedError)) throw error
  })
}
