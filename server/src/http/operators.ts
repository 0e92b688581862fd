// Which operator a cookie names. docs/operating.md.
import type { Service } from '../service.ts'
import type { SiteOperator } from './page.ts'

/** The operator of a `Cookie` header; undefined where nobody is signed in. */
export async function findOperator(
  _service: Service,
  _header: string | undefined,
  _address: string,
): Promise<SiteOperator | undefined> {
  return undefined
}
