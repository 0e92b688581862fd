import type { Module } from '../../module.ts'
import { didOf } from './did.ts'
import { makeFirst } from './keys.ts'

export const records: Module = {
  async start({ sql, secrets, clock, config, publicUrl, log }) {
    await makeFirst(sql, secrets, clock.now())
    // Without a port of its own, a process has another address at each start.
    if (config.publicUrl === undefined) return
    const did = didOf(publicUrl)
    const [former] = await sql<{ value: string }>`select value from instance where name = 'record_issuer'`
    if (former?.value === did) return
    await sql`
      insert into instance (name, value) values ('record_issuer', ${did})
      on conflict (name) do update set value = excluded.value`
    if (former)
      log.warn(
        { former: former.value, issuer: did },
        'PUBLIC_URL has changed: records signed before name the former address (docs/record.md#a-new-address)',
      )
  },
}
