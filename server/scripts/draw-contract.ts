// npm run contract: writes into the marked regions of docs/contract/*.md what the code knows better than any page: routes,
// codes, limits, events, moves, settings. openapi.json is read as it is committed, so npm run openapi comes first.
import { glob, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { errorCodesOf, json, type OpenApi, operationsOf, resolve, type Schema } from '../src/http/openapi-document.ts'
import { type Code, nameOf, refusals } from '../src/kernel/refuse.ts'
import { codeWords, settingWords } from './contract-words.ts'
import { drawLimits } from './draw-limits.ts'
import { drawing as drawMoves } from './draw-orders.ts'
import { drawing as drawCaseMoves } from './draw-project-cases.ts'
import { drawing as drawRequestMoves } from './draw-requests.ts'
import { drawing as drawServiceMoves } from './draw-services.ts'
import { drawing as drawTasks } from './draw-tasks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): Promise<string> => readFile(`${root}/${name}`, 'utf8')

interface Operation {
  tag: string
  route: string
  summary: string
  isPublic: boolean
  codes: string[]
}

type Row = readonly (string | number)[]

/** A table of Markdown; a bar within a cell would end it. */
export const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

const code = (text: string): string => `\`${text}\``
const codes = (names: readonly string[]): string => names.map((each) => code(nameOf(each as Code))).join(', ')

/** The refusal that a code and a status are the answer of: two may share the code. */
const refusalOf = (name: string, status: number): string =>
  Object.entries(refusals).find(([each, its]) => nameOf(each as Code) === name && its === status)?.[0] ?? name

/** The operations of the committed document, in its order. */
const operationsIn = (document: OpenApi): Operation[] =>
  operationsOf(document).map(({ method, path, operation: { tags, summary, security, responses } }) => ({
    tag: tags[0] as string,
    route: `${method} ${path.replace('/api/v1/', '')}`,
    summary,
    isPublic: security?.some((each) => Object.keys(each).length === 0) ?? false,
    codes: Object.entries(responses).flatMap(([status, response]) =>
      errorCodesOf(response).map((each) => refusalOf(each, Number(status))),
    ),
  }))

/** Codes that are said once for all routes: in representation.md and authentication.md. */
const general = new Set([
  'unauthorized',
  'invalid_input',
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'request_timeout',
  'headers_too_large',
  'internal',
  'service_unavailable',
  'write_limited',
  'read_limited',
  'profile_inactive',
  'owner_email_required',
])

const drawRoutes = (operations: readonly Operation[], tag: string): string =>
  table(
    ['Route', '', 'Refuses, beyond [what every route does](errors.md#what-every-route-refuses)'],
    operations
      .filter((operation) => operation.tag === tag)
      .map((operation) => [
        code(operation.route),
        operation.isPublic ? `${operation.summary} (public)` : operation.summary,
        codes(operation.codes.filter((each) => !general.has(each))),
      ]),
  )

/** Where a code is met: everywhere, in rooms, or on the few routes that have it. */
function whereOf(name: string, operations: readonly Operation[]): string {
  const having = operations.filter((operation) => operation.codes.includes(name))
  if (having.length === operations.length) return 'every route'
  const [other, ...others] = operations.filter((operation) => !having.includes(operation))
  if (other && others.length === 0) return `every route but ${code(other.route)}`
  if (having.length === 0) return '—'
  if (having.length <= 3) return having.map(({ route }) => code(route)).join(', ')
  return [...new Set(having.map(({ tag }) => tag))].join(', ')
}

function drawCodes(operations: readonly Operation[]): string {
  const rows = Object.entries(refusals).map(([name, status]) => [
    codes([name]),
    status,
    worded(codeWords, name),
    whereOf(name, operations),
  ])
  return table(['Code', 'Status', 'When', 'Where'], rows)
}

/** What is said of a name; a name without words stops the drawing, so that nothing comes to the contract unsaid. */
function worded<T>(words: Readonly<Record<string, T>>, name: string): T {
  const found = words[name]
  if (found === undefined) throw new Error(`${name} has no words: see server/scripts/contract-words.ts`)
  return found
}

/** The texts and lists that bodies may hold: each field with its bounds, and the rooms that have it so. */
function drawFields(document: OpenApi): string {
  const rooms = new Map<string, Set<string>>()
  const add = (tag: string, path: string, given: Schema): void => {
    const field = resolve<Schema>(document, given)
    const bounds = boundsOf(field)
    if (bounds) {
      const key = `${code(path)}\n${bounds}`
      rooms.set(key, (rooms.get(key) ?? new Set()).add(tag))
    }
    for (const [name, inner] of Object.entries(field.properties ?? {})) {
      add(tag, path === '' ? name : `${path}.${name}`, inner)
    }
    if (typeof field.items === 'object') add(tag, `${path}[]`, field.items)
    for (const option of field.anyOf ?? []) add(tag, path, option)
  }
  for (const { operation } of operationsOf(document)) {
    const schema = operation.requestBody?.content?.[json]?.schema
    if (schema) add(operation.tags[0] as string, '', schema)
  }
  const rows = [...rooms].map(([key, tags]) => [...key.split('\n'), [...tags].join(', ')])
  return table(['Field', 'Bounds', 'Rooms'], rows)
}

/** In words; undefined if there are none, and for bytes, whose base64 is not what is bounded. */
function boundsOf({ minLength = 0, maxLength, minItems = 0, maxItems, contentEncoding }: Schema): string | undefined {
  const most = maxLength ?? maxItems
  if (most === undefined || contentEncoding !== undefined) return undefined
  const least = maxLength === undefined ? minItems : minLength
  const range = least === 0 ? `up to ${most}` : `${least}-${most}`
  return `${range} ${maxLength === undefined ? 'entries' : 'characters'}`
}

type Channel = OpenApi['x-websocket']

function drawEvents({ subprotocols, kinds }: Channel): string {
  const nameOf = (since: number): string => subprotocols[since - 1]?.name ?? 'no subprotocol'
  return table(
    ['Kind', 'From', 'To', 'What it tells', 'Payload'],
    Object.entries(kinds).map(([kind, { since, to, tells, payload }]) => [
      code(kind),
      nameOf(since),
      to,
      tells,
      payloadOf(payload as { $ref?: string; properties?: object }),
    ]),
  )
}

/** A resource by its name, else the fields. */
const payloadOf = ({ $ref, properties = {} }: { $ref?: string; properties?: object }): string =>
  $ref === undefined ? Object.keys(properties).map(code).join(', ') : code($ref.split('/').at(-1) as string)

const drawCloses = ({ close_codes }: Channel): string => table(['Code', 'Why'], Object.entries(close_codes))

const drawChannelLimits = ({ limits }: Channel): string =>
  table(
    ['Limit', ''],
    Object.entries(limits).map(([name, value]) => [name.replaceAll('_', ' '), value]),
  )

/** Every setting that config.ts knows; numbers and switches with the defaults and bounds that it reads them by. */
async function drawSettings(): Promise<string> {
  const source = await read('server/src/config.ts')
  const known = /const known = new Set\(\s*`([^`]*)`/.exec(source)?.[1] ?? ''
  const names = known.match(/\w+/g) ?? []
  if (names.length === 0) throw new Error('config.ts has no list of the settings that it knows')
  const numbers = new Map(
    [...source.matchAll(/integer\(\s*'(\w+)',\s*([\d_]+),\s*([\d_]+),\s*([\d_]+)/g)].map(
      ([, name, ...values]) => [name as string, values.map((value) => value.replaceAll('_', ''))] as const,
    ),
  )
  const switches = new Map(
    [...source.matchAll(/toggle\(\s*'(\w+)',\s*(true|false)/g)].map(([, name, on]) => [
      name,
      on === 'true' ? 'on' : 'off',
    ]),
  )
  const rows = names.map((name) => {
    const words = worded(settingWords, name)
    const [fallback, least, most] = numbers.get(name) ?? []
    const onOff = switches.get(name)
    const plain = onOff ?? fallback
    const standing = words.default ?? (plain === undefined ? '' : code(plain))
    const takes = words.takes ?? (onOff ? '`on` or `off`' : `${least} to ${most}`)
    if (standing === '' || takes.includes('undefined')) throw new Error(`${name} needs its default and form in words`)
    return [code(name), standing, takes, words.means]
  })
  return table(['Setting', 'Default', 'Takes', 'Meaning'], rows)
}

/** What each mark stands for. */
async function regions(): Promise<(mark: string) => string> {
  const document = JSON.parse(await read('openapi.json')) as OpenApi
  const operations = operationsIn(document)
  const channel = document['x-websocket']
  const settings = await drawSettings()
  const plain: Record<string, () => string> = {
    codes: () => drawCodes(operations),
    fields: () => drawFields(document),
    events: () => drawEvents(channel),
    'close codes': () => drawCloses(channel),
    'channel limits': () => drawChannelLimits(channel),
    'moves of an order': drawMoves,
    'moves of a service': drawServiceMoves,
    'moves of a service request': drawRequestMoves,
    'moves of a task': drawTasks,
    'moves of a project case': drawCaseMoves,
    settings: () => settings,
  }
  return (mark) => {
    const [kind, name = ''] = mark.split(': ')
    if (kind === 'routes') return drawRoutes(operations, name)
    if (kind === 'limits') return drawLimits(name)
    return plain[mark]?.() ?? fail(mark)
  }
}

const fail = (mark: string): never => {
  throw new Error(`No region is called ${mark}`)
}

/** Every page with its marked regions generated again: its name, old text and new text. */
export async function drawn(): Promise<{ name: string; was: string; is: string }[]> {
  const draw = await regions()
  const names = (await Array.fromAsync(glob('docs/contract/*.md', { cwd: root }))).sort()
  return Promise.all(
    names.map(async (name) => {
      const was = await read(name)
      const is = was.replace(
        /(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- end of generated -->)/g,
        (_all, begin: string, mark: string, end: string) => `${begin}\n${draw(mark)}\n\n${end}`,
      )
      return { name, was, is }
    }),
  )
}

if (import.meta.main) {
  for (const { name, was, is } of await drawn()) if (was !== is) await writeFile(`${root}/${name}`, is)
}
