// The profile that commands use by default: the one that `kith use` remembered, else `default`. The name is kept beside
// the profiles, in a file that no profile can be named like.
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { KithInputError } from '@kith/sdk/identity'

export const firstProfile = 'default'

/** The folder of all profiles. */
export function home(): string {
  return resolve(process.env['KITH_HOME'] || join(ownHome(), '.kith'))
}

/** With an empty HOME, or a relative one, an identity would depend on the folder that a command starts in. */
function ownHome(): string {
  try {
    const named = homedir()
    return isAbsolute(named) ? named : userInfo().homedir
  } catch {
    // As in a container, for a user that its system does not list.
    throw new KithInputError('this user has no home folder: set KITH_HOME to the folder that keeps the profiles')
  }
}

/** Whether a path is the folder of all profiles, or below it. */
export function isAtHome(path: string): boolean {
  try {
    return `${path}${sep}`.startsWith(join(home(), sep))
  } catch {
    return false
  }
}

/** Whether a path is in a profile that has an identity: it must not be looked for in another folder. */
export function isOfIdentity(path: string): boolean {
  const [name = ''] = relative(home(), path).split(sep)
  return isProfileName(name) && existsSync(join(home(), name, 'passport.json'))
}

export const isProfileName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)

const file = (): string => join(home(), '.profile')

/** The file's content is used only if it can be a profile's name. */
export function usualProfile(): string {
  let name: string
  try {
    name = readFileSync(file(), 'utf8').trim()
  } catch {
    return firstProfile
  }
  return isProfileName(name) ? name : firstProfile
}

/** Remember it from now on; whole, or not at all. */
export async function rememberProfile(name: string): Promise<void> {
  if (name === firstProfile) return rm(file(), { force: true })
  const fresh = `${file()}.${process.pid}.tmp`
  await writeFile(fresh, `${name}\n`, { mode: 0o600 })
  await rename(fresh, file())
}
