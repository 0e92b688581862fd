// What the frame of a page says of this server.
import { currentDocuments } from '../documents.ts'
import type { Service } from '../service.ts'
import type { DocumentLink } from './layout.ts'

export const operatorOf = ({ config }: Service) => ({ name: config.operatorName, contact: config.operatorContact })

/** The path of a version of a legal document. */
export const documentPath = (name: string, version: string): string => `/documents/${name}/${version}`

export const frameOf = (
  service: Service,
): { publicUrl: string; operator: ReturnType<typeof operatorOf>; documents: DocumentLink[] } => ({
  publicUrl: service.publicUrl,
  operator: operatorOf(service),
  documents: currentDocuments(service.documents).map(({ title, name, version }) => ({
    title,
    href: documentPath(name, version),
  })),
})
