// What one has for a price, said before it is agreed to.
import { credits, type FolderClient } from '@kith/sdk/identity'

/** A price as it is shown to its customer, above what there is for it; and a warning where that is too little. */
export async function withFunds(client: FolderClient, total: number, shown: string): Promise<string> {
  const { available_minor: available } = await client.wallet.get()
  const rows = [shown, `yours      ${credits(available)} credits available`]
  if (available < total)
    rows.push(`warning    ${credits(total - available)} credits are missing: you cannot pay until you have them`)
  return rows.join('\n')
}
