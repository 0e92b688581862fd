// What somebody wants to find.
import type { Part } from '../../kernel/part.ts'
import type { Among, Sort } from './shapes.ts'

export interface Wanted {
  /** Who asks, whose own private works are found too; null for anyone. */
  viewerId: string | null
  q?: string | undefined
  kind: Among
  sort: Sort
  min_total_minor?: number | undefined
  max_total_minor?: number | undefined
  price_mode?: string | undefined
  tag?: string | undefined
  language?: string | undefined
  available?: true | undefined
  /** A condition on a findable thing (alias `d`) that a page of the site has. */
  further?: Part | undefined
}
