// The operator's words about the keys that sign records. docs/record.md#keys.
import { age } from '../kernel/words.ts'
import { allKeys, type PublicKey, rotate } from '../modules/records/keys.ts'
import { secretsOf } from '../secrets.ts'
import { record } from '../store/audit.ts'
import { type Command, inTransaction } from './command.ts'
import { checkReason } from './operator.ts'
import { table } from './text.ts'

export const keyCommands: readonly Command[] = [
  {
    usage: 'keys list',
    about: 'list the keys that sign records, and when each was retired',
    read:
      () =>
      async ({ sql, clock }) => {
        const keys = await allKeys(sql)
        return { json: { keys }, text: listed(keys, clock.now()) }
      },
  },
  {
    usage: 'keys rotate --reason TEXT',
    about: 'retire the key in use for good, and sign with a new one',
    read: ({ actor, options }) =>
      inTransaction(
        async (tx, config) => {
          const reason = checkReason(options.reason as string)
          const { retired, key } = await rotate(tx, await secretsOf(config))
          const audit = await record(tx, { actor, action: 'keys.rotate', subject: key, reason, details: { retired } })
          return { key, retired, audit }
        },
        ({ key, retired }) => `Records are signed with ${key} from now on; ${retired} is retired`,
      ),
  },
]

const listed = (keys: readonly PublicKey[], now: Date): string =>
  table(
    ['Key', 'Made', 'Retired'],
    keys.map(({ multikey, created_at, retired_at }) => [
      multikey,
      `${age(created_at, now)} ago`,
      retired_at ? `${age(retired_at, now)} ago` : 'in use',
    ]),
  ).join('\n')
