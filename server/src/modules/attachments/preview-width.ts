// How wide a preview is asked for. docs/contract/attachments.md#bytes.
import { type PreviewWidth, previewWidths } from '../../inspect/formats.ts'
import { type TSchema, Type } from '../../kernel/schema.ts'

export const previewWidth: {
  schema: TSchema
  absent: undefined
  parse: (text: string) => PreviewWidth | undefined
} = {
  schema: Type.Union(
    previewWidths.map((width) => Type.Literal(width)),
    { description: 'In pixels: the narrowest copy at least this wide' },
  ),
  absent: undefined,
  parse: (text) => previewWidths.find((width) => String(width) === text),
}
