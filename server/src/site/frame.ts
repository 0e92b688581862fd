// What the frame of every page says of this server, in the reader's language.
import { currentDocuments } from '../documents.ts'
import type { Visit } from '../http/page.ts'
import { perService, type Service } from '../service.ts'
import { type Catalogue, createCatalogue, shippedLanguages, type Words } from './words.ts'

export const catalogueOf = perService((_service): Catalogue => createCatalogue(shippedLanguages))

export const operatorOf = ({ config }: Service) => ({ name: config.operatorName, contact: config.operatorContact })

export const documentPath = (name: string, version: string): string => `/documents/${name}/${version}`

export const hostOf = ({ publicUrl }: Pick<Service, 'publicUrl'>): string => new URL(publicUrl).host

export interface Frame {
  publicUrl: string
  words: Words
  /** What other languages the page can be read in. */
  languages: Catalogue['languages']
  operator: { name: string; contact: string | null }
  documents: readonly { title: string; href: string }[]
  /** The form token of the reader's session. */
  formToken?: string
}

export function frameOf(service: Service, visit: Pick<Visit, 'languages' | 'visitor'>): Frame {
  const catalogue = catalogueOf(service)
  return {
    publicUrl: service.publicUrl,
    words: catalogue.of(visit.languages),
    languages: catalogue.languages,
    operator: operatorOf(service),
    documents: currentDocuments(service.documents).map(({ title, name, version }) => ({
      title,
      href: documentPath(name, version),
    })),
    ...(visit.visitor && { formToken: visit.visitor.formToken }),
  }
}
