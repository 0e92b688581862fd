import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import { type Code, nameOf, refusals } from '../kernel/refuse.ts'
import {
  Base64,
  closed,
  Line,
  Multiline,
  Nullable,
  OperationId,
  Pagination,
  Timestamp,
  type TProperties,
  Type,
  Uuid,
  uuidPattern,
} from '../kernel/schema.ts'
import { eventSchema } from './event-schema.ts'
import { openapi, operationId } from './openapi.ts'
import {
  errorCodesOf,
  type OpenApi,
  operationsOf,
  type ResolvedOperation,
  type ResponseObject,
  resolve,
  type Schema,
} from './openapi-document.ts'
import { example } from './openapi-examples.ts'
import { choice, page, pageSize, searchText, uuidField } from './query.ts'
import { agentRoute, idParam, noBody, publicRoute, type Route } from './route.ts'

const answer = async () => ({ body: {} })

const named = <P extends TProperties>(name: string, properties: P) =>
  Type.Object(properties, { additionalProperties: false, 'x-component': name })

const Note = named('Note', {
  id: Uuid,
  title: Line({ max: 160 }),
  seal: Base64({ min: 24, max: 24 }),
  state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
  closed_at: Nullable(Timestamp),
})

/** One of each: what a route may be made of. */
const routes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/notes',
    tag: 'notes',
    summary: 'Public notes',
    query: {
      q: searchText(160, 'invalid_pagination'),
      page: page(1000),
      page_size: pageSize,
      author: uuidField,
      kind: choice(['a', 'b']),
    },
    success: { 200: closed({ notes: Type.Array(Note), pagination: Pagination }) },
    handle: answer,
  }),
  agentRoute({
    method: 'POST',
    path: '/notes',
    tag: 'notes',
    summary: 'Write a note',
    description: 'With `marks`.',
    body: closed({
      operation_id: OperationId,
      title: Line({ min: 1, max: 160, description: 'What it is about' }),
      text: Multiline({ min: 1, max: 8000 }),
      seal: Base64({ min: 16, max: 16384 }),
      last: Type.Optional(Nullable(Note)),
      pair: Type.Optional(Type.Tuple([Type.String(), Type.Integer()])),
      facts: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      mood: Type.Optional(Nullable(Type.Union([Type.Literal('calm'), Type.Literal('wild')]))),
    }),
    bodyLimit: 1024 * 1024,
    invalidBody: 'encrypted_envelope_required',
    gate: 'new',
    success: { 201: closed({ note: Note }), 200: closed({ note: Note }) },
    refuses: ['idempotency_conflict', 'request_limit', 'verification_setup_pending'],
    handle: answer,
  }),
  agentRoute({
    method: 'PUT',
    path: '/notes/{note_id}/vote',
    tag: 'votes',
    summary: 'Vote',
    params: idParam('note_id', 'The note'),
    body: noBody,
    gate: 'reading',
    success: { 200: closed({ note: Note }) },
    handle: answer,
  }),
  agentRoute({
    method: 'DELETE',
    path: '/notes/{note_id}/vote',
    tag: 'votes',
    summary: 'Take the vote back',
    params: idParam('note_id', 'The note'),
    gate: 'own',
    success: { 200: closed({ note: Nullable(Note) }) },
    handle: answer,
  }),
  publicRoute({
    method: 'POST',
    path: '/notes/report-all',
    tag: 'notes',
    summary: 'Report',
    body: closed({ email: Line({ max: 320 }) }),
    success: { 202: closed({}) },
    refuses: ['registration_limited'],
    handle: answer,
  }),
]

const operationOf = (document: OpenApi, method: string, path: string): ResolvedOperation => {
  const found = operationsOf(document).find((each) => each.method === method && each.path === `/api/v1${path}`)
  assert.ok(found, `${method} ${path}`)
  return found.operation
}

const codes = ({ responses }: ResolvedOperation): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(responses)
      .map(([status, response]) => [status, errorCodesOf(response)] as const)
      .filter(([, each]) => each.length > 0),
  )

async function assertSound(list: readonly Route[]): Promise<void> {
  const document = openapi(list)
  const text = JSON.stringify(document)
  const result = await new Validator().validate(JSON.parse(text))
  assert.deepEqual(result.errors ?? [], [])
  assert.ok(result.valid)
  for (const route of list) {
    const operation = operationOf(document, route.method, route.path)
    assert.equal(operation.security !== undefined, route.caller !== 'agent')
    for (const status of Object.keys(route.success)) assert.ok(operation.responses[status])
    const listed = Object.values(codes(operation)).flat()
    for (const code of route.refuses ?? []) assert.ok(listed.includes(nameOf(code)), `${operation.operationId} ${code}`)
  }
  const operations = operationsOf(document).map(({ operation }) => operation)
  assert.equal(operations.length, list.length + list.filter(({ head }) => head !== undefined).length)
  assert.equal(new Set(operations.map((each) => each.operationId)).size, operations.length)
  for (const mark of ['x-text', 'x-canonical', 'x-bytes', 'x-component', '"~', '"$id"']) {
    assert.ok(!text.includes(mark), `${mark} left in the document`)
  }
  for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    let found: unknown = document
    for (const key of path.split('/')) found = (found as Record<string, unknown>)[key]
    assert.ok(found, `nothing at ${path}`)
  }
  assert.equal(JSON.stringify(openapi(list)), text)
}

const served = new URL('../app/modules.ts', import.meta.url)

/** What the marks of a field say of themselves tells nothing of what it means. */
const ofMarks =
  /(^|(?<=\.) )(\d+(-\d+)? bytes in canonical base64, padded|One line, counted in Unicode code points|May have several lines, counted in Unicode code points)\.$/

/** Every field, as deep as they go, has words of its own; a shape with a name has its own too. */
function assertDescribed(schema: Schema, where: string, root: { $defs?: Record<string, Schema> } = {}): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const told = (field.description ?? '').replace(ofMarks, '')
    const isWord = /[a-z]{2}/i.test(told) && told.toLowerCase() !== `the ${name.replaceAll('_', ' ')} field`
    assert.ok(isWord || field.$ref !== undefined, `nothing is said of ${where}.${name}`)
    assertDescribed(field, `${where}.${name}`)
  }
  const within = [schema.items, schema.additionalProperties, ...(schema.prefixItems ?? [])]
  for (const each of [...within, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    if (typeof each === 'object') assertDescribed(each, where)
  for (const [name, each] of Object.entries(root.$defs ?? {})) {
    assert.ok(each.description || name.startsWith('ack') || name === 'error', `nothing is said of ${name}`)
    assertDescribed(each, name)
  }
}

/** What an operation takes and gives as JSON or as a form. */
function contentsOf({ operationId: id, requestBody, responses }: ResolvedOperation): [string, Media][] {
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return [
    ...Object.values(requestBody?.content ?? {}).map((content): [string, Media] => [id, content]),
    ...answers.flatMap(([status, response]) => {
      const content = response.content?.['application/json']
      return content ? [[`${id} ${status}`, content] as [string, Media]] : []
    }),
  ]
}

type Media = NonNullable<ResponseObject['content']>[string]

function assertTold(document: OpenApi): void {
  for (const { operation } of operationsOf(document)) {
    assert.ok(operation.description, `nothing is said of ${operation.operationId}`)
    for (const { name, description } of operation.parameters)
      assert.ok(description, `nothing is said of ${operation.operationId} ${name}`)
    for (const [where, { schema }] of contentsOf(operation)) assertDescribed(schema, where)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok(schema.description, `nothing is said of ${name}`)
    assertDescribed(schema, name)
  }
}

const compiler = (): Ajv => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  ajv.addFormat('uuid', uuidPattern)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  ajv.addFormat('uri', /^https?:\/\//)
  ajv.addFormat('binary', true)
  return ajv
}

/** Every request that has fields, and every answer that is JSON, has an example, and its schema takes it. */
function assertExamples(document: OpenApi): void {
  const ajv = compiler()
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'contract')
  const schemaAt = new Map<string, (value: unknown) => boolean>()
  for (const { operation } of operationsOf(document)) {
    for (const [where, { schema, example: given, examples }] of contentsOf(operation)) {
      const [reference] = Object.values(examples ?? {})
      const value = reference ? resolve<{ value: unknown }>(document, reference).value : given
      if (value === undefined) assert.equal(operation.requestBody?.required, false, `no example of ${where}`)
      if (value === undefined) continue
      const text = JSON.stringify(schema).replaceAll('"#/', '"contract#/')
      const takes = schemaAt.get(text) ?? ajv.compile(JSON.parse(text))
      schemaAt.set(text, takes)
      assert.ok(takes(value), `${where} ${JSON.stringify((takes as { errors?: unknown }).errors)}`)
    }
  }
}

describe('the OpenAPI document', () => {
  test('is valid, complete and identical each time', () => assertSound(routes))

  test('names operations by method and path', () => {
    assert.equal(operationId({ method: 'GET', path: '/bots/me' }), 'getBotsMe')
    assert.equal(
      operationId({ method: 'POST', path: '/contacts/{contact_id}/accept' }),
      'postContactsByContactIdAccept',
    )
    assert.equal(operationId({ method: 'POST', path: '/orders/{id}/propose-refund' }), 'postOrdersByIdProposeRefund')
    assert.throws(() => openapi([...routes, routes[0] as Route]), /getNotes/)
  })

  test('says who may call, and what the kernel refuses', () => {
    const document = openapi(routes)
    assert.deepEqual(document.security, [{ bearer: [] }])
    const list = operationOf(document, 'GET', '/notes')
    assert.deepEqual(list.security, [{}, { bearer: [] }])
    assert.deepEqual(codes(list), {
      400: ['invalid_input', 'invalid_pagination'],
      401: ['unauthorized'],
      408: ['request_timeout'],
      429: ['read_limited'],
      431: ['headers_too_large'],
      500: ['internal'],
      503: ['service_unavailable'],
    })
    const write = codes(operationOf(document, 'POST', '/notes'))
    // The query of a route without one is refused as invalid_input, its body by the route's own code.
    assert.deepEqual(write['400'], ['invalid_input', 'invalid_json', 'encrypted_envelope_required'])
    assert.deepEqual(write['403'], ['profile_inactive', 'owner_email_required'])
    assert.deepEqual(write['409'], ['idempotency_conflict'])
    assert.deepEqual([write['413'], write['415']], [['payload_too_large'], ['unsupported_media_type']])
    assert.deepEqual(write['429'], ['write_limited', 'read_limited', 'request_limit'])
    assert.deepEqual(write['503'], ['verification_setup_pending', 'service_unavailable'])
    const vote = codes(operationOf(document, 'PUT', '/notes/{note_id}/vote'))
    assert.deepEqual([vote['403'], vote['404']], [['profile_inactive'], ['not_found']])
    const unvote = codes(operationOf(document, 'DELETE', '/notes/{note_id}/vote'))
    assert.equal(unvote['403'], undefined)
    const report = codes(operationOf(document, 'POST', '/notes/report-all'))
    assert.deepEqual([report['403'], report['429']], [undefined, ['read_limited', 'registration_limited']])
  })

  test('describes headers, bodies and parameters', () => {
    const document = openapi(routes)
    const headers = ({ responses }: ResolvedOperation, status: string): string[] =>
      Object.keys(responses[status]?.headers ?? {})
    const write = operationOf(document, 'POST', '/notes')
    assert.deepEqual(headers(write, '201'), ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'])
    assert.deepEqual(headers(write, '401'), ['X-Request-Id', 'WWW-Authenticate'])
    assert.ok(headers(write, '429').includes('Retry-After'))
    assert.deepEqual(headers(operationOf(document, 'GET', '/notes'), '200'), [
      'X-Request-Id',
      'RateLimit-Policy',
      'RateLimit',
    ])
    assert.ok(document.components.responses['MethodNotAllowed']?.headers?.['Allow'])
    assert.match(write.requestBody?.description ?? '', /1048576 bytes/)
    assert.equal(operationOf(document, 'PUT', '/notes/{note_id}/vote').requestBody?.required, false)
    assert.equal(operationOf(document, 'DELETE', '/notes/{note_id}/vote').requestBody, undefined)
    const query = operationOf(document, 'GET', '/notes').parameters
    assert.deepEqual(
      query.map(({ name, required, schema }) => [name, required, schema.default]),
      [
        ['q', false, undefined],
        ['page', false, 1],
        ['page_size', false, 20],
        ['author', false, undefined],
        ['kind', false, undefined],
      ],
    )
    assert.deepEqual(query.at(-1)?.schema, { type: 'string', enum: ['a', 'b'] })
  })

  test('writes schemas in standard keywords', () => {
    const document = openapi(routes)
    const note = document.components.schemas['Note']
    assert.deepEqual(note?.properties?.['closed_at'], { type: ['string', 'null'], format: 'date-time' })
    assert.deepEqual(note?.properties?.['state'], { type: 'string', enum: ['open', 'closed'] })
    assert.deepEqual(note?.properties?.['seal'], {
      type: 'string',
      contentEncoding: 'base64',
      minLength: 32,
      maxLength: 32,
      description: '24 bytes in canonical base64, padded.',
    })
    const body = operationOf(document, 'POST', '/notes').requestBody?.content?.['application/json']?.schema
    assert.equal(body?.additionalProperties, false)
    assert.match(body?.properties?.['title']?.description ?? '', /^What it is about\. One line, .*code points/)
    assert.match(body?.properties?.['text']?.description ?? '', /several lines/)
    assert.deepEqual(body?.properties?.['last']?.anyOf?.[0], { $ref: '#/components/schemas/Note' })
    assert.equal(body?.properties?.['pair']?.prefixItems?.length, 2)
    assert.deepEqual(body?.properties?.['mood'], { type: ['string', 'null'], enum: ['calm', 'wild', null] })
    const names = new Set((Object.keys(refusals) as Code[]).map(nameOf))
    assert.deepEqual(document.components.schemas['ErrorCode']?.enum, [...names])
  })

  test('rejects two shapes with one name', () => {
    const other = agentRoute({
      method: 'GET',
      path: '/others',
      tag: 'notes',
      summary: 'Others',
      gate: 'reading',
      success: { 200: named('Note', { id: Uuid }) },
      handle: answer,
    })
    assert.throws(() => openapi([...routes, other]), /Two shapes are called Note/)
  })

  test('names shared components by their content', () => {
    const list = (tag: string, name: string, of: TProperties, query: Route['query'] = {}): Route => {
      const [path, success] = [`/${tag}/${name}`, { 200: closed(of) }]
      return publicRoute({ method: 'GET', path, tag, summary: 'List', query, success, handle: answer })
    }
    const entries = { notes: Type.Array(Note), pagination: Pagination }
    const end = (name: string): Route =>
      agentRoute({
        ...{
          method: 'POST',
          path: `/notes/{note_id}/${name}`,
          tag: 'notes',
          summary: 'End',
          gate: 'own',
          handle: answer,
        },
        params: idParam('note_id', 'The note'),
        body: closed({ operation_id: OperationId, reason: Line({ max: 80 }) }),
        success: { 201: closed({ note: Note }), 200: closed({ note: Note }) },
        refuses: ['idempotency_conflict', 'version_conflict', 'invalid_state'],
      })
    const document = openapi([
      ...['a', 'b'].map((name) =>
        list('notes', name, entries, { page_size: pageSize, state: choice(['open', 'closed']) }),
      ),
      ...['a', 'b'].map((name) => list('votes', name, { newest: Note }, { state: choice(['given', 'taken']) })),
      ...['a', 'b'].map((name) => list('votes', `${name}/note`, { note: Note })),
      ...['reject', 'cancel'].map(end),
      list('votes', 'alone', { vote: closed({ id: Uuid }) }),
    ])
    const { components, paths } = document
    assert.deepEqual(Object.keys(components.parameters), ['NoteId', 'PageSize', 'StateOfNotes', 'StateOfVotes'])
    assert.deepEqual(Object.keys(components.requestBodies), ['Reason'])
    assert.deepEqual(
      Object.keys(components.responses).filter((name) => !(name in openapi([]).components.responses)),
      [
        ...['CreatedNote', 'ExistingNote', 'InvalidBody', 'InvalidInput', 'InvalidInputOrInvalidPagination', 'Newest'],
        ...['NotFound', 'Note', 'NoteList', 'RateLimited', 'ReadLimited', 'StaleRequestOrInvalidState'],
      ],
    )
    const cancel = paths['/api/v1/notes/{note_id}/cancel']?.['post']
    assert.deepEqual(cancel?.responses['201'], { $ref: '#/components/responses/CreatedNote' })
    assert.deepEqual(cancel?.responses['409'], { $ref: '#/components/responses/StaleRequestOrInvalidState' })
    assert.deepEqual(cancel?.parameters, [{ $ref: '#/components/parameters/NoteId' }])
    assert.deepEqual(cancel?.requestBody, { $ref: '#/components/requestBodies/Reason' })
    const alone = paths['/api/v1/votes/alone']?.['get']?.responses
    assert.ok(alone?.['200'] && !('$ref' in alone['200']), 'what one operation has is not a component')
  })

  test('describes the event channel', () => {
    const channel = openapi(routes)['x-websocket']
    assert.equal(channel.path, '/ws/v1/events/')
    assert.deepEqual(
      channel.subprotocols.map(({ name, kinds }) => [name, kinds.length]),
      [
        [null, 5],
        ['platform.events.v2', 10],
        ['platform.events.v3', 11],
        ['platform.events.v4', 12],
        ['platform.events.v5', 13],
        ['platform.events.v6', 14],
        ['platform.events.v7', 15],
        ['platform.events.v8', 16],
        ['platform.events.v9', 17],
        ['platform.events.v10', 18],
        ['platform.events.v11', 23],
      ],
    )
  })

  test('matches the routes that are served', { skip: !existsSync(served) }, async () => {
    const { routes: list, tags } = (await import(served.href)) as {
      routes: readonly Route[]
      tags: Record<string, string>
    }
    await assertSound(list)
    const document = openapi(list, tags)
    for (const { name, description } of document.tags) assert.ok(description, `nothing is said of the tag ${name}`)
    assertTold(document)
    assertExamples(document)
  })

  test('names HEAD where the contract does, without a body', { skip: !existsSync(served) }, async () => {
    const { routes: list } = (await import(served.href)) as { routes: readonly Route[] }
    const document = openapi(list)
    const withHead = Object.entries(document.paths).filter(([, methods]) => methods['head'])
    const stream = '/attachments/{attachment_id}/stream'
    assert.deepEqual(
      withHead.map(([path]) => path),
      [`/api/v1${stream}`, `/api/v1/human${stream}`],
    )
    for (const [path, { head }] of withHead) {
      assert.ok(head?.responses['206'] && head.responses['416'], path)
      assert.ok(!JSON.stringify([head.responses['200'], head.responses['206']]).includes('content'), path)
    }
  })

  test('has the frames of the event channel as JSON Schema', { skip: !existsSync(served) }, async () => {
    const { routes: list } = (await import(served.href)) as { routes: readonly Route[] }
    const document = openapi(list)
    const schema = eventSchema(document)
    const isFrame = compiler().compile(JSON.parse(JSON.stringify(schema)))
    assertDescribed(schema, 'events', { $defs: schema.$defs })
    const id = '0199a3f2-7c1e-7b4a-9d2e-5f8a1c3b6d70'
    for (const [kind, { payload }] of Object.entries(document['x-websocket'].kinds)) {
      const told = { type: 'event', event_id: id, kind, payload: example(document, payload, 'all') }
      assert.ok(isFrame(told), `${kind} ${JSON.stringify(isFrame.errors)}`)
      assert.ok(!isFrame({ ...told, payload: {} }), kind)
      assert.ok(!isFrame({ ...told, more: 1 }), kind)
    }
    for (const frame of [
      { type: 'ack', event_id: id },
      { type: 'acked', event_id: id },
      { type: 'error', error: { code: 'unknown_ack' } },
    ])
      assert.ok(isFrame(frame), frame.type)
    for (const frame of [{}, { type: 'event', event_id: id, kind: 'nothing', payload: {} }, { type: 'ack' }])
      assert.ok(!isFrame(frame), JSON.stringify(frame))
  })
})
