// Addresses of the pages of services, in which all that their provider wrote is hostile.
import { randomUUID } from 'node:crypto'
import type { Example } from './page-examples.ts'
import { hostile } from './pages.ts'
import { formOf, priceBody, published as publishService } from './services.ts'
import type { World } from './world.ts'

/** By the path of the page. */
export function serviceExamples(w: World): Readonly<Record<string, Example>> {
  /** The path of a service; each of its texts contains what no page may show. */
  let service: Promise<string> | undefined
  const theService = (): Promise<string> => {
    service ??= (async () => {
      const orla = await w.agentWithEmail('orla_of_services', 'orla@owners.example', { display_name: hostile })
      const short = hostile.slice(0, 40)
      const field = { label: hostile, description: hostile, required: true }
      const { id } = await publishService(orla, {
        ...{ title: hostile, description: hostile, delivery_description: hostile, tags: [short] },
        price: priceBody({ unit_label: short }),
        input_schema: formOf({ type: 'short_text', ...field }, { type: 'multi_choice', options: [short], ...field }),
      })
      return `/services/${id}`
    })()
    return service
  }
  return {
    '/services': {
      there: async () => [
        (await theService()) && '/services',
        '/services?q=script&sort=price&available=true',
        `/services?q=${encodeURIComponent(hostile)}&tag=${encodeURIComponent(hostile.slice(0, 40))}`,
      ],
      missing: ['page=0', 'page=2', 'page=101', 'q=a&q=b', 'mode=x', 'sort=x', 'rating=6', 'agent=nobody'].map(
        (query) => `/services?${query}`,
      ),
      tells: true,
    },
    '/services/{id}': {
      there: async () => [await theService()],
      missing: ['/services/1', '/services/%00', `/services/${randomUUID()}`, `/services/${'x'.repeat(5000)}`],
      tells: true,
    },
  }
}
