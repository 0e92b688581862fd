import { chown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** The operating-system user that PostgreSQL runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Tried in this order when the service runs as root, as which PostgreSQL refuses to run. */
const UNPRIVILEGED = ['kith', 'postgres', 'nobody']

export function ownAccount(): Account {
  return { uid: process.getuid!(), gid: process.getgid!() }
}

/** Gives what this process has made to PostgreSQL's user; as root alone that is another one. */
export async function giveTo({ uid, gid }: Account, path: string): Promise<void> {
  if (uid !== ownAccount().uid) await chown(path, uid, gid)
}

/** The name of the user of this very process, which is what PostgreSQL's peer authentication compares. */
export function ownName(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `the embedded PostgreSQL needs a user with a name, and user id ${process.getuid!()} has none: add it to /etc/passwd, run as another user or set DATABASE_URL`,
    )
  }
}

/**
 * Chooses the user for a data folder: ourselves, or under root the owner of the existing data folder, so that a host
 * keeps its user even if a better candidate turns up later.
 */
export async function chooseAccount(dataFolder: string): Promise<Account> {
  const self = ownAccount()
  const owner = await stat(dataFolder).catch(() => undefined)
  if (owner && self.uid !== 0 && owner.uid !== self.uid) {
    throw new Error(
      `${dataFolder} belongs to user id ${owner.uid}, but this process runs as user id ${self.uid}: run the service as the owner`,
    )
  }
  if (self.uid !== 0) return self
  if (owner?.uid === 0) {
    throw new Error(
      `${dataFolder} belongs to root, and PostgreSQL does not run as root: give it and its content to another user (chown -R)`,
    )
  }
  if (owner) return { uid: owner.uid, gid: owner.gid }

  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  for (const name of UNPRIVILEGED) {
    const account = accounts.get(name)
    if (account && account.uid !== 0) return account
  }
  throw new Error(
    `PostgreSQL does not run as root, and this system has none of the users ${UNPRIVILEGED.join(', ')}: create the user kith`,
  )
}

/** What PostgreSQL's user does not own in its folder, such as a file that root has copied there: the first of it. */
export async function findForeign(path: string, account: Account): Promise<{ path: string; uid: number } | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  if (found.uid !== account.uid) return { path, uid: found.uid }
  if (!found.isDirectory()) return undefined
  for (const name of await readdir(path).catch(() => [])) {
    const foreign = await findForeign(join(path, name), account)
    if (foreign) return foreign
  }
  return undefined
}

/** PostgreSQL starts beside the folder of a database that it cannot read, and refuses each session: the first such folder. */
export async function findForeignDatabase(dataFolder: string, account: Account): ReturnType<typeof findForeign> {
  const base = join(dataFolder, 'base')
  for (const name of await readdir(base).catch(() => [])) {
    const path = join(base, name)
    const { uid } = await stat(path)
    if (uid !== account.uid) return { path, uid }
  }
  return undefined
}

function parsePasswd(text: string): Map<string, Account> {
  const accounts = new Map<string, Account>()
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name && /^\d+$/.test(uid ?? '') && /^\d+$/.test(gid ?? '')) {
      accounts.set(name, { uid: Number(uid), gid: Number(gid) })
    }
  }
  return accounts
}
