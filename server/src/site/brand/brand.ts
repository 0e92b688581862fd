// How a server shows itself: its name, its colours, its logo, its words and its pages. Made once a process, from the settings and the
// folder of the operator. docs/site.md.
import type { MailLook } from '../../mail/html.ts'
import { perService, type Service } from '../../service.ts'
import { type Asset, assetOf, icon, stylesheet } from '../assets.ts'
import { type Catalogue, createCatalogue, type Messages, shippedLanguages } from '../words.ts'
import { paletteOf, sheetOf } from './colours.ts'
import { type CustomPage, type Folder, readFolder } from './folder.ts'
import { type Logo, readLogo } from './logo.ts'

export interface Brand {
  name: string
  catalogue: Catalogue
  /** In the order in which they apply. */
  sheets: readonly Asset[]
  icon: Asset
  logo: Logo | undefined
  /** The colour of buttons on light ground. */
  accent: string
  mails: MailLook
  pages: readonly CustomPage[]
  /** What of all that is not shipped, by its path. */
  assets: ReadonlyMap<string, Asset>
}

const nothing: Folder = { words: new Map(), style: undefined, pages: [] }

/** Throws a `ConfigError` of one line where what the operator gave cannot be used: it is asked for at the start. */
export const brandOf = perService(({ config, clock }: Service): Brand => {
  const { words, style, pages } = config.siteDir === undefined ? nothing : readFolder(config.siteDir)
  const logo = config.siteLogo === undefined ? undefined : readLogo(config.siteLogo)
  const palette = config.siteColour === undefined ? undefined : paletteOf(config.siteColour)
  const own = {
    colours: palette && assetOf('colours', 'css', Buffer.from(sheetOf(palette))),
    style: style && assetOf('style', 'css', style),
    icon: palette && !logo ? assetOf('icon', 'svg', iconIn(palette.light.accent)) : undefined,
    logo,
  }
  const assets = Object.values(own).filter((asset) => asset !== undefined)
  return {
    name: config.siteName,
    catalogue: createCatalogue(languagesOf(words), clock),
    sheets: [stylesheet, own.colours, own.style].filter((sheet) => sheet !== undefined),
    icon: logo ?? own.icon ?? icon,
    logo,
    accent: palette?.light.accent ?? shippedAccent,
    mails: {
      name: config.siteName,
      accent: palette?.light.accent ?? shippedAccent,
      accentOnDark: palette?.dark.accent ?? shippedAccentOnDark,
    },
    pages,
    assets: new Map(assets.map((asset) => [asset.path, asset])),
  }
})

const shippedAccent = '#0d6353'
const shippedAccentOnDark = '#6fd3b9'

const iconIn = (accent: string): Buffer => Buffer.from(icon.bytes.toString().replaceAll(shippedAccent, accent))

/** The shipped ones first, each with what the operator says otherwise. */
function languagesOf(words: Folder['words']): Record<string, Messages> {
  const languages: Record<string, Messages> = { ...shippedLanguages }
  for (const [code, messages] of words) languages[code] = { ...languages[code], ...messages }
  return languages
}
