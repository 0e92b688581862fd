// The guides and the rules of the API in words: the Markdown of this checkout, with addresses on this server.
// docs/contract/site.md#guides.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newAnchors, slug } from './markdown.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** For whom a page is written; `rules` are those of the API. */
export const guideGroups = ['agents', 'people', 'operators', 'developers', 'rules'] as const
export type GuideGroup = (typeof guideGroups)[number]

const groups: Readonly<Record<Exclude<GuideGroup, 'rules' | 'operators'>, readonly string[]>> = {
  agents: [
    'agents',
    'mcp',
    'sdk',
    'python',
    'shop',
    'command',
    'receiving',
    'market',
    'orders',
    'human-orders',
    'files',
    'writing',
    'oversight',
    'record',
    'export',
  ],
  people: ['customers'],
  developers: ['how-it-works', 'adding-an-endpoint', 'performance', 'torture'],
}

/** The text below a heading, up to the next one. */
export interface Section {
  title: string
  /** Undefined for the page as a whole. */
  anchor: string | undefined
  text: string
}

export interface Guide {
  group: GuideGroup
  name: string
  /** The address of its page; with `.md` behind it, of its Markdown. */
  path: string
  title: string
  markdown: string
  sections: readonly Section[]
}

/** A guide as it is written in this checkout. */
export interface Source {
  group: GuideGroup
  name: string
  path: string
  /** Below the checkout, as its links name it. */
  file: string
  text: string
}

let known: ReadonlyMap<string, Guide> | undefined

/** By their addresses: those for agents first, the rules last. */
export function guides(): ReadonlyMap<string, Guide> {
  known ??= readGuides()
  return known
}

function readGuides(): ReadonlyMap<string, Guide> {
  const all = guideSources()
  const byFile = new Map(all.map((each) => [each.file, each]))
  return new Map(all.map((each) => [each.path, guideOf(each, byFile)]))
}

/** In the order of `guides`. */
export function guideSources(): Source[] {
  const inFolder = (folder: string, below: string, groupOf: (name: string) => GuideGroup): Source[] =>
    readdirSync(join(root, folder))
      .filter((each) => each.endsWith('.md'))
      .sort()
      .map((each) => {
        const name = each === 'README.md' ? 'about' : each.replace(/\.md$/, '')
        return source(groupOf(name), name, below, `${folder}/${each}`)
      })
  const groupOf = (name: string): GuideGroup =>
    (Object.keys(groups) as (keyof typeof groups)[]).find((group) => groups[group].includes(name)) ?? 'operators'
  const own = [
    source('agents', 'sdk', 'guides', 'sdk/README.md'),
    source('agents', 'command', 'guides', 'cli/README.md'),
    ...inFolder('docs', 'guides', groupOf),
  ]
  const place = ({ group, name }: Source): number =>
    (groups as Record<string, readonly string[]>)[group]?.indexOf(name) ?? 0
  const inOrder = guideGroups.flatMap((group) =>
    own.filter((each) => each.group === group).sort((a, b) => place(a) - place(b)),
  )
  return [...inOrder, ...inFolder('docs/contract', 'contract', () => 'rules')]
}

function source(group: GuideGroup, name: string, below: string, file: string): Source {
  // What programs write between is marked by comments.
  const text = readFileSync(join(root, file), 'utf8').replace(/^<!--.*-->\n/gm, '')
  return { group, name, path: `/docs/${below}/${name}`, file, text }
}

function guideOf(own: Source, byFile: ReadonlyMap<string, Source>): Guide {
  const sections = sectionsOf(own.text)
  const { group, name, path } = own
  const title = sections[0]?.title ?? name
  return { group, name, path, title, markdown: linked(own, byFile), sections }
}

/** Each with the anchor that its heading has on the page. */
export function sectionsOf(text: string): Section[] {
  const anchorOf = newAnchors()
  const sections: { title: string; anchor: string | undefined; lines: string[] }[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const title = isCode ? undefined : /^#{1,6} (.+)$/.exec(line)?.[1]
    if (title === undefined) sections.at(-1)?.lines.push(line)
    else {
      const anchor = anchorOf(title)
      sections.push({ title, anchor: sections.length === 0 ? undefined : anchor, lines: [] })
    }
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') }))
}

/** Links lead to addresses of this server. */
function linked({ file, text }: Source, byFile: ReadonlyMap<string, Source>): string {
  return relinked(file, text, (to, fragment) => {
    const found = byFile.get(to)
    const anchor = fragment === undefined ? '' : `#${slug(fragment)}`
    return found && `${to === file ? '' : found.path}${anchor}`
  })
}

/**
 * Links to files of this checkout lead to where `place` says that such a file is; one without a place is named and not linked, and so is
 * an image.
 */
export function relinked(
  file: string,
  text: string,
  place: (file: string, fragment: string | undefined) => string | undefined,
): string {
  const link = (whole: string, label: string, target: string): string => {
    if (/^(https?:|\/)/.test(target)) return whole
    const [to = '', fragment] = target.split('#')
    const found = whole.startsWith('!') ? undefined : place(to === '' ? file : join(dirname(file), to), fragment)
    return found === undefined ? label : `[${label}](${found})`
  }
  // Between fences it is code, and stays as it is.
  const pieces = text.split(/^(```[\s\S]*?^```)$/m)
  return pieces.map((each, at) => (at % 2 === 1 ? each : each.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, link))).join('')
}
