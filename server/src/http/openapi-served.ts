// The OpenAPI document as it is sent: readers that pay for each byte get it whole without examples, or a topic with them.
// docs/contract/site.md#for-programs.
import { json, type OpenApi, type Operation, operationsOf } from './openapi-document.ts'

/** Without spaces, with a line feed at the end. */
export const compact = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** Everything but the examples of responses. */
export function withoutExamples(document: OpenApi): OpenApi {
  const bare = structuredClone(document)
  const { responses, examples: _, ...components } = bare.components
  const inPlace = Object.values(bare.paths).flatMap((methods) => Object.values(methods).map((each) => each.responses))
  for (const each of [responses, ...inPlace].flatMap((map) => Object.values(map))) {
    if ('content' in each) delete each.content?.[json]?.examples
  }
  return { ...bare, components: { ...components, responses, examples: {} } }
}

/** The operations of a tag with their examples and the components that they use; undefined for an unknown tag. */
export function topicOf(document: OpenApi, tag: string): Partial<OpenApi> | undefined {
  const { tags, paths, components, 'x-websocket': _, ...rest } = document
  const wanted = new Set(
    operationsOf(document).flatMap(({ path, operation }) => (operation.tags[0] === tag ? [path] : [])),
  )
  if (wanted.size === 0) return undefined
  const own = (methods: Record<string, Operation>): Record<string, Operation> =>
    Object.fromEntries(Object.entries(methods).filter(([, { tags }]) => tags[0] === tag))
  const ownPaths = Object.fromEntries([...wanted].map((path) => [path, own(paths[path] ?? {})]))
  return {
    ...rest,
    tags: tags.filter(({ name }) => name === tag),
    paths: ownPaths,
    components: used(components, ownPaths),
  }
}

type Components = OpenApi['components']

/** The components that something refers to, also by way of others, and how callers authenticate. */
function used(components: Components, by: unknown): Components {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      const [kind, key] = name.split('/') as [keyof Components, string]
      visit(components[kind][key])
    }
  }
  visit(by)
  const kept = (kind: string, all: object): object =>
    Object.fromEntries(Object.entries(all).filter(([key]) => kind === 'securitySchemes' || found.has(`${kind}/${key}`)))
  return Object.fromEntries(Object.entries(components).map(([kind, all]) => [kind, kept(kind, all)])) as Components
}
