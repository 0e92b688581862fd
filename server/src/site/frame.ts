// What the frame of every page says of this server, in the reader's language.
import { currentDocuments } from '../documents.ts'
import type { SessionOf, Visit } from '../http/page.ts'
import type { Service } from '../service.ts'
import { type Brand, brandOf } from './brand/brand.ts'
import { linksOf } from './brand/own-pages.ts'
import { type SharedPicture, serverCard, sharedCard } from './cards/card.ts'
import { paperLanguage } from './parts/papers.ts'
import { formTokenIn } from './sessions.ts'
import type { Catalogue, Words } from './words.ts'

export const catalogueOf = (service: Service): Catalogue => brandOf(service).catalogue

export const operatorOf = ({ config }: Service) => ({ name: config.operatorName, contact: config.operatorContact })

export const documentPath = (name: string, version: string): string => `/documents/${name}/${version}`

export const hostOf = ({ publicUrl }: Pick<Service, 'publicUrl'>): string => new URL(publicUrl).host

interface FooterLink {
  title: string
  href: string
  /** Of what it leads to, where that is not the page's. */
  language?: string | undefined
}

export interface Frame extends Pick<Brand, 'name' | 'sheets' | 'icon' | 'logo'> {
  publicUrl: string
  words: Words
  /** That of the address, where it names one. */
  language: string | undefined
  /** What other languages the page can be read in. */
  languages: Catalogue['languages']
  operator: { name: string; contact: string | null }
  documents: readonly FooterLink[]
  /** The operator's own. */
  pages: readonly FooterLink[]
  /** What those show who link to a page that has no picture of its own. */
  picture: SharedPicture
  /** Where a reader is that chooses another language. */
  here: string
  /** Whether its reader may use the console. */
  isByOperator: boolean
  /** The name of the customer who reads it; null if nobody is signed in, undefined if that is not known. */
  reader: string | null | undefined
  /** The form token of the reader's session. */
  formToken: string | undefined
}

export function frameOf(
  service: Service,
  visit: Pick<Visit, 'languages' | 'language' | 'isByOperator' | 'reader' | SessionOf> & { here?: string | undefined },
): Frame {
  const brand = brandOf(service)
  const { name, sheets, icon, logo, catalogue } = brand
  const words = catalogue.of(visit.languages)
  return {
    name,
    sheets,
    icon,
    logo,
    publicUrl: service.publicUrl,
    words,
    language: visit.language,
    languages: catalogue.languages,
    pages: linksOf(brand.pages, words),
    picture: sharedCard({ service, words }, serverCard),
    here: visit.here ?? '/',
    operator: operatorOf(service),
    // By the operator's own title only where that is in the reader's language.
    documents: currentDocuments(service.documents).map(({ title, name, version }) => ({
      href: documentPath(name, version),
      ...(words.language === paperLanguage
        ? { title }
        : { title: words.text(`frame.document.${name}`), language: paperLanguage }),
    })),
    isByOperator: visit.isByOperator ?? false,
    reader: visit.customer?.human.displayName ?? visit.reader,
    formToken: formTokenIn(visit),
  }
}
