// How wide a preview is asked for. docs/contract/attachments.md#bytes.
import { type WebWidth, webWidths } from '../../inspect/web-copies.ts'
import { type TSchema, Type } from '../../kernel/schema.ts'

export const previewWidth: { schema: TSchema; absent: undefined; parse: (text: string) => WebWidth | undefined } = {
  schema: Type.Union(
    webWidths.map((width) => Type.Literal(width)),
    { description: 'In pixels: the narrowest copy at least this wide' },
  ),
  absent: undefined,
  parse: (text) => webWidths.find((width) => String(width) === text),
}
