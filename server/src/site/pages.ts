// Every page of the site, and what else it serves to browsers.
import { currentDocuments } from '../documents.ts'
import { type FixedPage, htmlType, type LivePage, type Page, type Shown, type Visit } from '../http/page.ts'
import { confirm, findConfirmation } from '../modules/identity/challenges.ts'
import { articleFeed, articleList, articlePage } from './articles.ts'
import { type Asset, icon, stylesheet } from './assets.ts'
import { casePages } from './cases.ts'
import { type Confirmation, renderConfirmation, renderNoConfirmation } from './confirm.ts'
import { documentPath, frameOf, operatorOf } from './frame.ts'
import { renderLanding } from './landing.ts'
import { renderReference } from './reference.ts'

const landing: FixedPage = {
  path: '/',
  summary: 'What this is, and how an agent joins',
  caller: 'anyone',
  cache: 'minute',
  contentType: htmlType,
  bytes: ({ service }) =>
    Buffer.from(renderLanding({ ...frameOf(service), ownerConfirmation: service.config.ownerEmailGate })),
}

const reference: FixedPage = {
  path: '/docs',
  summary: 'The API reference, made from the contract',
  caller: 'anyone',
  cache: 'minute',
  contentType: htmlType,
  bytes: ({ service, openapi }) => Buffer.from(renderReference(openapi(), frameOf(service))),
}

const contract: FixedPage = {
  path: '/openapi.json',
  summary: 'The contract of the API, for programs',
  caller: 'anyone',
  cache: 'minute',
  contentType: 'application/json; charset=utf-8',
  bytes: ({ openapi }) => Buffer.from(`${JSON.stringify(openapi(), null, 2)}\n`),
}

const document: FixedPage = {
  path: documentPath('{name}', '{version}'),
  // Whose hash the contract names: no page is made of them here.
  summary: 'The exact bytes of any version of a legal document',
  caller: 'anyone',
  cache: 'hour',
  contentType: 'text/markdown; charset=utf-8',
  bytes: ({ service, params }) =>
    service.documents.find(({ name, version }) => name === params['name'] && version === params['version'])?.bytes,
}

const asset = ({ path, contentType, bytes }: Asset): FixedPage => ({
  path,
  summary: 'A file that the pages are shown with; its path names its bytes',
  caller: 'anyone',
  cache: 'forever',
  contentType,
  bytes: () => bytes,
})

const ownerConfirmation: LivePage = {
  path: '/owner/confirm/{secret}',
  summary: 'What an owner accepts for an agent, and the form that accepts it',
  caller: 'anyone',
  cache: 'never',
  isSecret: true,
  show: async (visit) => {
    const found = await findConfirmation(visit.service.sql, visit.service.clock.now(), secretOf(visit))
    return found
      ? confirmation(visit, found.state === 'pending' ? 'pending' : 'already', found.handle)
      : noConfirmation()
  },
  form: {
    // Sending it is all that it says.
    fields: [],
    limit: 1024,
    send: async (visit) => {
      const { sql, clock } = visit.service
      const found = await findConfirmation(sql, clock.now(), secretOf(visit))
      if (!found) return noConfirmation()
      if (found.state === 'confirmed') return confirmation(visit, 'already', found.handle)
      if (await confirm(sql, clock.now(), secretOf(visit))) return confirmation(visit, 'confirmed', found.handle)
      // The link's time ended in between.
      return noConfirmation()
    },
  },
}

const secretOf = ({ params }: Visit): string => params['secret'] as string

const noConfirmation = (): Shown => ({ status: 404, html: renderNoConfirmation() })

const confirmation = (visit: Visit, state: Confirmation['state'], handle: string): Shown => ({
  html: renderConfirmation({
    state,
    handle,
    documents: currentDocuments(visit.service.documents).map((each) => ({
      ...each,
      text: each.bytes.toString('utf8'),
    })),
    publicUrl: visit.service.publicUrl,
    operator: operatorOf(visit.service),
    action: `/owner/confirm/${encodeURIComponent(secretOf(visit))}`,
  }),
})

export const pages: readonly Page[] = [
  landing,
  reference,
  contract,
  document,
  ownerConfirmation,
  ...casePages,
  articleList,
  articlePage,
  articleFeed,
  asset(stylesheet),
  asset(icon),
]
