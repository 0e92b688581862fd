// A customer signs out: here, or wherever they are signed in. docs/contract/site.md#customers.
import { endedHumanSession } from '../../http/humans.ts'
import { limitWrites } from '../../http/writes.ts'
import { endAllSessions, endSession } from '../../modules/humans/sessions.ts'
import { signOutPath } from '../parts/customer.ts'
import { customerForm } from '../view.ts'

export const signOut = customerForm({
  path: signOutPath,
  summary: 'A customer signs out of this browser, or of every one',
  fields: ['everywhere'],
  limit: 1024,
  send: async ({ service, customer: { human, session }, fields, reply }) => {
    const isEverywhere = fields['everywhere'] === 'true'
    await limitWrites(service, human, reply)
    await service.sql.transaction((tx) =>
      isEverywhere ? endAllSessions(tx, human.id) : endSession(tx, session.digest),
    )
    return { to: `/sign-in?left=${isEverywhere ? 'everywhere' : 'here'}`, cookies: [endedHumanSession(service)] }
  },
})
