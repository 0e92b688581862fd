// Every page of the console in a real browser, with little and with hostile things on it. docs/adding-an-endpoint.md#looking-at-a-page.
import { operatorSession } from '../../../test/operators.ts'
import { lookAtOwnPages } from '../../../test/own-pages.ts'

lookAtOwnPages('operators', async (w) => (await operatorSession(w, 'olga@operators.example')).cookie)
