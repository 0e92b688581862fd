// What readers of the contract are sent: whole within its size, and topic by topic. docs/contract/site.md#for-programs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { routes, tags } from '../app/modules.ts'
import { openapi } from './openapi.ts'
import { json, type OpenApi, operationsOf, type ResponseObject, resolve } from './openapi-document.ts'
import { compact, topicOf, withoutExamples } from './openapi-served.ts'

const document = openapi(routes, tags)

const isValid = async (text: string): Promise<boolean> => (await new Validator().validate(JSON.parse(text))).valid

test('the whole document is at most 600,000 bytes, and omits only examples of responses', async () => {
  const bytes = compact(withoutExamples(document))
  assert.ok(bytes.length <= 600_000, `${bytes.length} bytes`)
  assert.ok(await isValid(bytes.toString()))
  const [sent, made] = [JSON.parse(bytes.toString()) as OpenApi, openapi(routes, tags)]
  assert.deepEqual(Object.keys(sent.paths), Object.keys(made.paths))
  assert.deepEqual(sent.components.schemas, JSON.parse(JSON.stringify(made.components.schemas)))
  assert.deepEqual(document, made, 'making it changes nothing')
})

test('each topic has its operations, their examples, and no unused component', async () => {
  let operations = 0
  for (const { name } of document.tags) {
    const text = compact(topicOf(document, name)).toString()
    const topic = JSON.parse(text) as OpenApi
    assert.ok(await isValid(text), name)
    assert.deepEqual(
      topic.tags.map((tag) => tag.name),
      [name],
    )
    const listed = operationsOf(topic)
    operations += listed.length
    for (const { operation } of listed) {
      assert.deepEqual(operation.tags, [name])
      for (const [status, response] of Object.entries(operation.responses)) {
        const content = resolve<ResponseObject>(topic, response).content?.[json]
        if (content && Number(status) < 400) assert.ok(content.examples, `${operation.operationId} ${status}`)
      }
    }
    const { securitySchemes: _, ...components } = topic.components
    for (const [kind, all] of Object.entries(components)) {
      for (const key of Object.keys(all)) assert.ok(text.includes(`"#/components/${kind}/${key}"`), `${name}: ${key}`)
    }
  }
  assert.equal(operations, operationsOf(document).length, 'every operation is in one topic')
  assert.equal(topicOf(document, 'nothing'), undefined)
  assert.equal(topicOf(document, '__proto__'), undefined)
})
