// Every page of a customer in a real browser, with little and with hostile things on it. docs/adding-an-endpoint.md#looking-at-a-page.
import { lookAtOwnPages } from '../../../test/own-pages.ts'

lookAtOwnPages('customers', async (w) => (await w.human('Hilda')).headers.cookie)
