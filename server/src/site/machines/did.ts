// /.well-known/did.json: the keys that records of this server are checked with. docs/contract/record.md#keys.
import type { LivePage } from '../../http/page.ts'
import { didDocument, didOf } from '../../modules/records/did.ts'
import { allKeys } from '../../modules/records/keys.ts'

export const didPath = '/.well-known/did.json'

export const did: LivePage = {
  path: didPath,
  summary: 'The DID document of this server: every key that ever signed a record',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service: { sql, publicUrl } }) => {
    const document = didDocument(didOf(publicUrl), await allKeys(sql))
    return { bytes: Buffer.from(`${JSON.stringify(document)}\n`), contentType: 'application/json; charset=utf-8' }
  },
}
