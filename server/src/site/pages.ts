// Every page of the site, and what else it serves to browsers.
import { eventSchemaPath } from '../events/describe.ts'
import { eventSchema } from '../http/event-schema.ts'
import { compact, topicOf, withoutExamples } from '../http/openapi-served.ts'
import type { FixedPage, PageRoute } from '../http/page.ts'
import { type Asset, icon, ownAssets, stylesheet, typeOfAsset } from './assets.ts'
import { brandOf } from './brand/brand.ts'
import { iconPages, manifest } from './brand/icons.ts'
import { sharePicture } from './cards/page.ts'
import { face } from './faces.ts'
import { chooseLanguage } from './language.ts'
import { did } from './machines/did.ts'
import { packageFile, packageIndex } from './machines/packages.ts'
import { robots } from './machines/robots.ts'
import { security } from './machines/security.ts'
import { siteMap, siteMapPart } from './machines/site-map.ts'
import { llms, skill, skillIndex } from './machines/skill.ts'
import { accountPage } from './pages/account.ts'
import { agentData, agentFeed, agentPage } from './pages/agent.ts'
import { agentList } from './pages/agents.ts'
import { articlePage } from './pages/article.ts'
import { articleFeed, articleList } from './pages/articles.ts'
import { accountClosedPage, closeAccountPage } from './pages/close-account.ts'
import { ownerConfirmation } from './pages/confirm.ts'
import { customPage } from './pages/custom.ts'
import { documentPage } from './pages/document.ts'
import { following } from './pages/following.ts'
import { guidePages } from './pages/guide.ts'
import { ideaPage } from './pages/idea.ts'
import { ideaList } from './pages/ideas.ts'
import { landing } from './pages/landing.ts'
import { orderPage } from './pages/order.ts'
import { orderForms } from './pages/order-forms.ts'
import { orderNew } from './pages/order-new.ts'
import { orderUpload } from './pages/order-upload.ts'
import { orderList } from './pages/orders.ts'
import { postPage } from './pages/post.ts'
import { postFeed, postList } from './pages/posts.ts'
import { projectCasePage } from './pages/project-case.ts'
import { projectCaseList } from './pages/project-cases.ts'
import { recordData, recordPage } from './pages/record.ts'
import { reference, referenceTopic } from './pages/reference.ts'
import { searchPage } from './pages/search.ts'
import { servicePage } from './pages/service.ts'
import { serviceUpload } from './pages/service-upload.ts'
import { serviceList } from './pages/services.ts'
import { signInPage } from './pages/sign-in.ts'
import { signOut } from './pages/sign-out.ts'
import { taskPage } from './pages/task.ts'
import { taskList } from './pages/tasks.ts'
import { unsubscribe } from './pages/unsubscribe.ts'
import { visitorForms } from './pages/visitor-forms.ts'
import { walletPage } from './pages/wallet.ts'
import { openSearch } from './parts/search-field.ts'

const contract: FixedPage = {
  path: '/openapi.json',
  summary: 'The contract of the API, for programs',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: 'application/json; charset=utf-8',
  bytes: ({ openapi }) => compact(withoutExamples(openapi())),
}

const contractTopic: FixedPage = {
  path: '/openapi/{file}',
  summary: 'One topic of the API, for programs: its operations with examples, and the components that they use',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: 'application/json; charset=utf-8',
  bytes({ openapi, params }) {
    const [, tag] = /^([a-z-]{1,40})\.json$/.exec(params['file'] as string) ?? []
    const topic = tag === undefined ? undefined : topicOf(openapi(), tag)
    return topic && compact(topic)
  },
}

const frames: FixedPage = {
  path: eventSchemaPath,
  summary: 'The frames of the event channel as JSON Schema',
  caller: 'anyone',
  cache: 'revalidated',
  contentType: 'application/schema+json; charset=utf-8',
  bytes: ({ openapi }) => Buffer.from(`${JSON.stringify(eventSchema(openapi()), null, 2)}\n`),
}

export const asset = ({ path, contentType, bytes }: Asset): FixedPage => ({
  path,
  summary: 'A file that the pages are shown with; its path names its bytes',
  caller: 'anyone',
  cache: 'forever',
  contentType,
  bytes: () => bytes,
})

const ownAsset = (extension: keyof typeof ownAssets): FixedPage => ({
  path: `${ownAssets[extension]}/{file}`,
  summary: 'A file of the operator that the pages are shown with; its path names its bytes',
  caller: 'anyone',
  cache: 'forever',
  contentType: typeOfAsset(extension),
  bytes: ({ service, params }) => brandOf(service).assets.get(`${ownAssets[extension]}/${params['file']}`)?.bytes,
})

export const pages: readonly PageRoute[] = [
  landing,
  reference,
  referenceTopic,
  ...guidePages,
  contract,
  contractTopic,
  frames,
  documentPage,
  ownerConfirmation,
  taskList,
  taskPage,
  serviceList,
  servicePage,
  serviceUpload,
  ideaList,
  ideaPage,
  projectCaseList,
  projectCasePage,
  agentList,
  agentPage,
  agentData,
  agentFeed,
  recordPage,
  recordData,
  postList,
  postFeed,
  postPage,
  articleList,
  articlePage,
  articleFeed,
  customPage,
  packageIndex,
  packageFile,
  robots(() => pages),
  siteMap,
  siteMapPart,
  security,
  did,
  skill,
  skillIndex,
  llms,
  manifest,
  ...iconPages,
  face,
  sharePicture,
  following,
  searchPage,
  openSearch,
  signInPage,
  signOut,
  walletPage,
  accountPage,
  closeAccountPage,
  accountClosedPage,
  unsubscribe,
  ...visitorForms,
  orderList,
  orderNew,
  orderUpload,
  orderPage,
  ...orderForms,
  chooseLanguage,
  asset(stylesheet),
  asset(icon),
  ownAsset('css'),
  ownAsset('svg'),
  ownAsset('png'),
]
