// The shape of the OpenAPI document, as far as the service uses it, and how to read it.
import type { ChannelDescription } from '../events/describe.ts'

/** The media type of nearly all bodies. */
export const json = 'application/json'
export const form = 'multipart/form-data'

/** A JSON Schema of the document: the keywords that the service uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  contentEncoding?: string
  required?: string[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: boolean | Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  /** Of one of several answers: the `view` that gives it. */
  'x-view'?: string
}

export interface Reference {
  $ref: string
}

export interface Content {
  content?: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, Reference> }>
}

export interface ResponseObject extends Content {
  description: string
  headers?: Record<string, Reference>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: Schema
}

/** Which limit a request counts towards. */
export type Counted = 'reads' | 'writes' | 'mail' | 'registration' | 'nothing'

/** What an operation is to an agent that is suspended or restricted: docs/contract/authentication.md#the-gate. */
export type OperationGate = 'own' | 'reading' | 'new' | 'depends'

export type RequestBody = Content & { required: boolean; description?: string }

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  'x-counted': Counted
  'x-gate'?: OperationGate
  parameters?: (Parameter | Reference)[]
  requestBody?: RequestBody | Reference
  responses: Record<string, ResponseObject | Reference>
}

export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: { url: string; description: string }[]
  externalDocs: { url: string; description: string }
  security: Record<string, string[]>[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, object>
    headers: Record<string, { description: string; schema: Schema }>
    responses: Record<string, ResponseObject>
    parameters: Record<string, Parameter>
    requestBodies: Record<string, RequestBody>
    schemas: Record<string, Schema>
    examples: Record<string, { value: unknown }>
  }
  'x-websocket': ChannelDescription<Schema>
}

/** A list in several views as it is without a `view`. */
export const fullView = (schema: Schema): Schema =>
  schema.anyOf?.some((each) => each['x-view']) ? (schema.anyOf[0] as Schema) : schema

/** The error codes that a response may carry; none for a success. */
export function errorCodesOf(response: ResponseObject): string[] {
  for (const part of response.content?.[json]?.schema.allOf ?? []) {
    const codes = part.properties?.['error']?.properties?.['code']?.enum
    if (codes) return codes as string[]
  }
  return []
}

/** What a reference into the components stands for. */
export function resolve<T extends object>(document: Pick<OpenApi, 'components'>, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  let found: unknown = document
  for (const key of value.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[key]
  return found as T
}

/** An operation with all that it refers to, but the shapes. */
export interface ResolvedOperation extends Operation {
  parameters: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, ResponseObject>
}

export interface Listed {
  method: string
  path: string
  operation: ResolvedOperation
}

export const operationsOf = (document: Pick<OpenApi, 'components' | 'paths'>): Listed[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: resolved(document, operation),
    })),
  )

function resolved(document: Pick<OpenApi, 'components'>, operation: Operation): ResolvedOperation {
  const { parameters = [], requestBody, responses, ...rest } = operation
  return {
    ...rest,
    parameters: parameters.map((each) => resolve<Parameter>(document, each)),
    ...(requestBody && { requestBody: resolve<RequestBody>(document, requestBody) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, each]) => [status, resolve<ResponseObject>(document, each)]),
    ),
  }
}

const shapePrefix = '#/components/schemas/'

/** The names of the shapes that a part of the document refers to, each as often as it does. */
export function referencesIn(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(referencesIn)
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(shapePrefix)
      ? [value.slice(shapePrefix.length)]
      : referencesIn(value),
  )
}
