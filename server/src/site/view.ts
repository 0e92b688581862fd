// A page as its room describes it: what it is, and its content. This file puts the frame around it.
import type {
  FormSubmission,
  FormTarget,
  LivePage,
  Redirect,
  Shown,
  SiteCustomer,
  Unsent,
  Upload,
  UploadTarget,
  Visit,
} from '../http/page.ts'
import type { Faced } from './faces.ts'
import { type Frame, frameOf } from './frame.ts'
import { html } from './html.ts'
import { type Header, renderPage, type View } from './layout.ts'
import { isTyped, unsentView } from './parts/unsent.ts'
import type { Words } from './words.ts'

/** What a page is made from. */
export interface Scene extends Visit {
  words: Words
  frame: Frame
  /** Of agents that bylines name, by their IDs. */
  faces?: ReadonlyMap<string, Faced>
}

export const sceneOf = (visit: Visit): Scene => {
  const frame = frameOf(visit.service, visit)
  return { ...visit, frame, words: frame.words }
}

type SitePage = Omit<LivePage, 'caller' | 'cache' | 'show' | 'form'> & {
  /** Undefined if nothing has this address. */
  view: (scene: Scene) => Promise<View | Redirect | undefined> | View | Redirect | undefined
}

export const sitePage = ({ view, ...page }: SitePage): LivePage => ({
  ...page,
  caller: 'anyone',
  cache: 'revalidated',
  show: async (visit) => {
    const scene = sceneOf(visit)
    return answered(scene, await view(scene))
  },
})

const answered = (scene: Scene, answer: View | Redirect | undefined): Shown | Redirect =>
  answer && 'to' in answer ? answer : shownAs(scene, answer)

/** A view with the frame around it. */
export const shownAs = ({ frame }: Pick<Scene, 'frame'>, view: View | undefined): Shown =>
  view && {
    html: renderPage(frame, view),
    ...(view.status !== undefined && { status: view.status }),
    ...(view.retryAfter !== undefined && { retryAfter: view.retryAfter }),
  }

/** What a page of a customer is made from. */
export interface CustomerScene extends Scene {
  customer: SiteCustomer
}

type CustomerPage = Omit<LivePage, 'caller' | 'cache' | 'knows' | 'show' | 'form'> & {
  /** Undefined if nothing of this customer's has this address. */
  view: (scene: CustomerScene) => Promise<View | undefined> | View | undefined
  form?: Omit<NonNullable<LivePage['form']>, 'guard' | 'send'> & {
    send: (scene: CustomerScene & FormSubmission) => Promise<View | Redirect | undefined>
  }
}

/** A page of a customer's own; whoever is not signed in is led there first, and back. */
export const customerPage = ({ view, form, ...page }: CustomerPage): LivePage => ({
  ...page,
  caller: 'anyone',
  cache: 'never',
  knows: 'customer',
  show: async (visit) => {
    const scene = customerScene(visit)
    return scene ? shownAs(scene, await view(scene)) : toSignIn(visit.here)
  },
  ...(form && { form: { ...form, guard: 'session', send: sending(form.send) } }),
})

type CustomerForm = Omit<FormTarget, 'caller' | 'cache' | 'knows' | 'send'> & {
  send: (scene: CustomerScene & FormSubmission) => Promise<View | Redirect | undefined>
}

/** An address that the forms of a customer's pages are sent to. */
export const customerForm = ({ send, ...form }: CustomerForm): FormTarget => ({
  ...form,
  caller: 'anyone',
  cache: 'never',
  knows: 'customer',
  send: sending(send),
})

const sending =
  (send: CustomerForm['send']) =>
  async (sent: FormSubmission): Promise<Shown | Redirect> => {
    const scene = customerScene(sent)
    if (!scene) return signedOut(sent, signInPath(sent.unsent.from), sent.unsent)
    return answered(scene, await send({ ...sent, ...scene }))
  }

type CustomerUpload = Omit<UploadTarget, 'caller' | 'cache' | 'knows' | 'receive'> & {
  receive: (scene: CustomerScene & Upload) => Promise<View | undefined>
}

/** The same for a form that brings a file. */
export const customerUpload = ({ receive, ...form }: CustomerUpload): UploadTarget => ({
  ...form,
  caller: 'anyone',
  cache: 'never',
  knows: 'customer',
  receive: async (upload) => {
    const scene = customerScene(upload)
    if (scene) return shownAs(scene, await receive({ ...upload, ...scene }))
    const unsent = await upload.unsent()
    return signedOut(upload, signInPath(unsent.from), unsent)
  },
})

function customerScene(visit: Visit): CustomerScene | undefined {
  const { customer } = visit
  return customer && { ...sceneOf(visit), customer }
}

/** What a form is answered whose sender is no longer signed in: the sign-in, or what was typed and the way there. */
export function signedOut(visit: Visit, to: string, unsent: Unsent, header?: Header): Shown | Redirect {
  if (!isTyped(unsent)) return { to }
  const scene = sceneOf(visit)
  const first = html`<a class="button" href="${to}" target="_blank">${scene.words('unsent.signIn')}</a>`
  const why = { title: 'unsent.ended.title', text: 'unsent.ended.text', send: 'unsent.continue' } as const
  return shownAs(scene, unsentView(scene, { ...why, status: 403, first, header }, unsent))
}

/** Where somebody signs in, and is led on to a path of this site. */
export const signInPath = (to: string | undefined): string =>
  to === undefined || to === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ to })}`

const toSignIn = (to: string | undefined): Redirect => ({ to: signInPath(to) })
