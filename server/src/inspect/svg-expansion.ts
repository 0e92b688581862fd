// How much a reader of an SVG file has to draw once every reference within it is followed: `use`, patterns, markers,
// masks, clips and filters. A short file may name a thing ten times that names another ten times, and so on; one whose
// expansion has no end, or none that can be waited for, is told here by counting, without expanding anything.
import { localUrls } from './svg-references.ts'

/** Beyond the elements that are written. Maps of many symbols have some hundred thousand. */
const mostExpanded = 1_000_000
/** References that lead to references; a reader may follow each by calling itself. */
const mostSteps = 200
const mostNodes = 4_000_000

/** Elements whose link stands for the content of another one. */
const drawsTarget = /^(use|tref|pattern|filter|feimage|mask|clippath|marker|lineargradient|radialgradient)$/
/** Paint without elements to draw. */
const isPaint = /^(lineargradient|radialgradient|stop|meshgradient|meshrow|meshpatch|solidcolor|hatchpath)$/

type Manner = 'once' | 'inherited' | 'vertices'

interface Reference {
  id: string
  manner: Manner
  /** Whether it surely applies; rules of style sheets are read roughly. */
  isSure: boolean
}

/** What of an element matters here, as its attributes come by. */
export interface Written {
  id: string | undefined
  classes: string | undefined
  vertices: number
  references: Reference[]
}

export const nothingWritten = (): Written => ({ id: undefined, classes: undefined, vertices: 0, references: [] })

/** Takes note of an attribute of an element, both names without prefix and in lower case. */
export function note(written: Written, element: string, name: string, value: string): void {
  if (name === 'id') written.id = flat(value)
  else if (name === 'class') written.classes = value
  else if (name === 'd' || name === 'points') written.vertices = value.length >> 3
  else if (name === 'href') {
    if (drawsTarget.test(element)) {
      for (const id of fragmentOf(value)) written.references.push({ id, manner: 'once', isSure: true })
    }
  } else if (name === 'style') written.references.push(...referencesOf(value, true))
  else if (value.includes('(')) written.references.push(...referencesOf(`${name}:${value}`, true))
}

/** A slice of a long text would keep all of it in memory. */
const flat = (text: string): string => (text.length < 13 ? text : Buffer.from(text).toString())

function fragmentOf(link: string): string[] {
  const fragment = /^\s*#(.*?)\s*$/s.exec(link)?.[1]
  if (!fragment) return []
  const id = /^xpointer\(id\(["']?(.*?)["']?\)\)$/.exec(fragment)?.[1] ?? fragment
  try {
    return [flat(decodeURIComponent(id))]
  } catch {
    return [flat(id)]
  }
}

function referencesOf(declarations: string, isSure: boolean): Reference[] {
  if (!declarations.includes('(')) return []
  return declarations.split(';').flatMap((declaration) => {
    const property = declaration
      .slice(0, Math.max(0, declaration.indexOf(':')))
      .trim()
      .toLowerCase()
    const manner = property.startsWith('marker')
      ? 'vertices'
      : property === 'fill' || property === 'stroke'
        ? 'inherited'
        : 'once'
    return localUrls(declaration).flatMap((url) => fragmentOf(url).map((id): Reference => ({ id, manner, isSure })))
  })
}

/** What a rule is found by: a class, an id or an element that the last part of its selector names, else anything. */
function lastName(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? ''
  if (last.includes('\\')) return '*'
  return /[.#][\w\u0080-\uffff-]+/.exec(last)?.[0] ?? /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase() ?? '*'
}

interface Node {
  /** Elements that are written in it and have no node of their own, itself among them. */
  elements: number
  vertices: number
  parts: Node[] | undefined
  references: Reference[] | undefined
  /** For the rules of style sheets. */
  element: string
  id: string | undefined
  classes: string | undefined
  /** Another one of the same id. */
  twin: Node | undefined
  /** What it comes to; undefined until that is known. */
  sum: Sum | 'open' | undefined
}

interface Sum {
  drawn: number
  vertices: number
  steps: number
}

export interface Expansion {
  open(element: string, written: Written): void
  close(): void
  sheet(text: string): void
  /** Whether it can be drawn within bounds; at the end of the file. */
  isBounded(): boolean
}

export function countExpansion(): Expansion {
  const newNode = (element: string, id: string | undefined, classes: string | undefined): Node => ({
    element,
    id,
    classes,
    elements: 0,
    vertices: 0,
    parts: undefined,
    references: undefined,
    twin: undefined,
    sum: undefined,
  })
  const root = newNode('', undefined, undefined)
  /** For each open element the node that it counts in. */
  const path: Node[] = [root]
  const byId = new Map<string, Node>()
  const rules = new Map<string, Reference[]>()
  let elements = 0
  let nodes = 0
  let hasReferences = false

  /** The same few names come a million times. */
  const known = new Map<string, string>()
  function interned(name: string): string {
    const same = known.get(name)
    if (same !== undefined) return same
    const kept = flat(name)
    if (known.size < 10_000) known.set(kept, kept)
    return kept
  }

  function open(element: string, { id, classes, vertices, references }: Written): void {
    elements++
    const outer = path.at(-1) as Node
    let node = outer
    if (id !== undefined || references.length > 0 || classes !== undefined) {
      node = newNode(interned(element), id, classes && interned(classes))
      nodes++
      outer.parts ??= []
      outer.parts.push(node)
      if (references.length > 0) {
        node.references = references
        hasReferences = true
      }
      if (id !== undefined) {
        const first = byId.get(id)
        if (first) {
          node.twin = first.twin
          first.twin = node
        } else byId.set(id, node)
      }
    }
    if (!isPaint.test(element)) node.elements++
    node.vertices += vertices
    path.push(node)
  }

  function sheet(text: string): void {
    // Block by block, the innermost ones; what a comment holds counts as if it stood there.
    for (const piece of text.split('}')) {
      const brace = piece.lastIndexOf('{')
      if (brace < 0) continue
      const references = referencesOf(piece.slice(brace + 1), false)
      if (references.length === 0) continue
      hasReferences = true
      const before = piece.slice(0, brace)
      const selectors = before.slice(Math.max(before.lastIndexOf('{') + 1, before.lastIndexOf('*/') + 2, 0))
      for (const selector of selectors.split(',')) {
        const name = lastName(selector)
        const same = rules.get(name)
        if (same) same.push(...references)
        else rules.set(name, [...references])
      }
    }
  }

  /** The references of a node, those of the rules that may apply to it among them. */
  function referencesAt(node: Node): Reference[] {
    const references = node.references ?? []
    if (rules.size === 0) return references
    const classes = node.classes?.split(/\s+/).map((name) => `.${name}`) ?? []
    const ruled = ['*', node.element, `#${node.id}`, ...classes].flatMap((name) => rules.get(name) ?? [])
    return ruled.length === 0 ? references : [...references, ...ruled]
  }

  function isBounded(): boolean {
    if (nodes > mostNodes) return false
    if (!hasReferences) return true
    // Without calling itself: a hostile file is deep.
    const stack = [{ node: root, next: 0, edges: edgesOf(root) }]
    root.sum = 'open'
    for (;;) {
      const top = stack.at(-1)
      if (!top) break
      const edge = top.edges[top.next++]
      if (edge) {
        if (edge.to.sum === 'open') {
          if (edge.isSure) return false
          edge.isLeftOut = true
        } else if (edge.to.sum === undefined) {
          edge.to.sum = 'open'
          stack.push({ node: edge.to, next: 0, edges: edgesOf(edge.to) })
        }
        continue
      }
      const sum = sumOf(top.node, top.edges)
      if (sum.drawn > elements + mostExpanded || sum.steps > mostSteps) return false
      top.node.sum = sum
      stack.pop()
    }
    return true
  }

  interface Edge {
    to: Node
    manner: Manner | 'part'
    isSure: boolean
    isLeftOut?: boolean
  }

  function edgesOf(node: Node): Edge[] {
    const edges: Edge[] = (node.parts ?? []).map((to) => ({ to, manner: 'part', isSure: true }))
    for (const { id, manner, isSure } of referencesAt(node)) {
      for (let to = byId.get(id); to; to = to.twin) edges.push({ to, manner, isSure })
    }
    return edges
  }

  function sumOf(node: Node, edges: readonly Edge[]): Sum {
    const sum: Sum = { drawn: node.elements, vertices: node.vertices, steps: 0 }
    const add = (to: Sum, times: number, step: number): void => {
      sum.drawn += to.drawn * times
      sum.vertices += to.vertices * times
      sum.steps = Math.max(sum.steps, to.steps + step)
    }
    const counted = edges.filter(({ isLeftOut }) => !isLeftOut)
    for (const { to, manner } of counted) if (manner === 'part') add(to.sum as Sum, 1, 0)
    const { drawn, vertices } = sum
    for (const { to, manner } of counted) {
      if (manner === 'once') add(to.sum as Sum, 1, 1)
      else if (manner === 'inherited') add(to.sum as Sum, Math.max(1, drawn), 1)
      else if (manner === 'vertices') add(to.sum as Sum, Math.max(1, vertices), 1)
    }
    return sum
  }

  return {
    open,
    close: () => void path.pop(),
    sheet,
    isBounded,
  }
}
