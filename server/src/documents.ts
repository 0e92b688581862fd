// The legal documents of this installation: files `name.version.md`, served byte for byte as they are hashed.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { sha256 } from './secrets.ts'

export const documentNames = ['terms', 'privacy', 'agent-rules'] as const

type DocumentName = (typeof documentNames)[number]

export interface LegalDocument {
  name: DocumentName
  title: string
  version: string
  url: string
  /** Of exactly these bytes, in lower-case hex. */
  sha256: string
  bytes: Buffer
  /** Whether this is the newest version of its name: the one that an owner accepts now. */
  current: boolean
}

const longest = 1024 * 1024

/**
 * Reads DOCUMENTS_DIR: every version of the three documents, in the order of {@link documentNames}, the newest version
 * first. Throws a {@link ConfigError} of one line when one of the three is missing or a file cannot be a document.
 */
export async function loadDocuments(folder: string, publicUrl: string): Promise<LegalDocument[]> {
  const files = await readdir(folder, { withFileTypes: true }).catch(() => wrong(`cannot read the folder ${folder}`))
  const found: LegalDocument[] = []
  for (const file of files) {
    // Left behind by editors and file systems.
    if (file.name.startsWith('.') || file.name.endsWith('~')) continue
    const match = /^([a-z]+(?:-[a-z]+)*)\.((?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){0,3})\.md$/.exec(file.name)
    const name = documentNames.find((known) => known === match?.[1])
    const version = match?.[2]
    if (name === undefined || version === undefined) {
      wrong(`${file.name} is not named like terms.1.0.md (names: ${documentNames.join(', ')})`)
    }
    const bytes = await readFile(join(folder, file.name)).catch(() => wrong(`cannot read ${file.name}`))
    if (bytes.length > longest) wrong(`${file.name} is larger than 1 MiB`)
    found.push({
      name,
      title: titleOf(bytes) ?? wrong(`${file.name} must be UTF-8 and begin with a line "# Title"`),
      version,
      url: `${publicUrl}/documents/${name}/${version}`,
      sha256: sha256(bytes).toString('hex'),
      bytes,
      current: false,
    })
  }
  return documentNames.flatMap((name) => {
    const versions = found.filter((document) => document.name === name)
    versions.sort((a, b) => compareVersions(b.version, a.version))
    const [newest] = versions
    if (newest === undefined) wrong(`no ${name}.<version>.md in ${folder}`)
    newest.current = true
    versions.forEach((document, i) => {
      const next = versions[i + 1]
      if (next && compareVersions(document.version, next.version) === 0) {
        wrong(`${name} ${document.version} and ${name} ${next.version} are the same version`)
      }
    })
    return versions
  })
}

/** What an owner is asked to accept now: the newest version of each, in the order of {@link documentNames}. */
export const currentDocuments = (documents: readonly LegalDocument[]): LegalDocument[] =>
  documents.filter(({ current }) => current)

function wrong(problem: string): never {
  throw new ConfigError(`Malformed setting DOCUMENTS_DIR: ${problem.replace(/\p{Cc}/gu, '?')}`)
}

function titleOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /^# ([^\r\n]*\S)[ \t]*(?:\r?\n|$)/.exec(text)?.[1]?.trim()
  } catch {
    return undefined
  }
}

/** Numbers between dots, compared as numbers; 1.0 equals 1. */
function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number)
  const right = b.split('.').map(Number)
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
