// What the frame of every page says of this server.
import { currentDocuments } from '../documents.ts'
import type { Service } from '../service.ts'

export const operatorOf = ({ config }: Service) => ({ name: config.operatorName, contact: config.operatorContact })

export const documentPath = (name: string, version: string): string => `/documents/${name}/${version}`

export const frameOf = (service: Service) => ({
  publicUrl: service.publicUrl,
  operator: operatorOf(service),
  documents: currentDocuments(service.documents).map(({ title, name, version }) => ({
    title,
    href: documentPath(name, version),
  })),
})
