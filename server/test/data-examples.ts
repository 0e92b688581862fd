// The addresses at which a server has one thing for programs, each with its type.
import { markdownType } from '../src/site/pages/guide.ts'
import type { Example } from './page-examples.ts'

export const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

const types: Readonly<Record<string, string | undefined>> = {
  '/robots.txt': undefined,
  '/manifest.webmanifest': undefined,
  '/.well-known/did.json': json,
  '/opensearch.xml': 'application/opensearchdescription+xml; charset=utf-8',
  '/skill.md': markdownType,
  '/.well-known/agent-skills/index.json': json,
  '/llms.txt': plain,
  '/favicon.ico': 'image/x-icon',
  '/apple-touch-icon.png': 'image/png',
  '/.well-known/security.txt': plain,
}

export const dataExamples: Readonly<Record<string, Example>> = Object.fromEntries(
  Object.entries(types).map(([path, contentType]) => [
    path,
    { there: async () => [path], ...(contentType && { contentType }) },
  ]),
)
