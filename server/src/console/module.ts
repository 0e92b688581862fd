import type { Page } from '../http/page.ts'
import { hours } from '../kernel/clock.ts'
import type { Module } from '../module.ts'
import { sweepOver } from '../operator/accounts/sessions.ts'
import { asset } from '../site/pages.ts'
import { signInLink } from './link.ts'
import { passkeyScript } from './passkey.ts'
import { passkeysPage } from './passkeys.ts'
import { sessionsPage } from './sessions.ts'
import { signInPage, signOut } from './sign-in.ts'

export const consolePages: readonly Page[] = [
  signInLink,
  signInPage,
  signOut,
  passkeysPage,
  sessionsPage,
  asset(passkeyScript),
]

/** The operator's console. */
export const operatorConsole: Module = {
  pages: consolePages,
  sweeps: ({ sql }) => [{ name: 'operator_sessions', everyMilliseconds: hours(1), run: () => sweepOver(sql) }],
}
