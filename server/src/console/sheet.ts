// The styles that only the console has: public pages do not load them. They are of the layer of pages.
import { layered, shippedAs } from '../site/assets.ts'

const sheet = new URL('./console.css', import.meta.url)

export const consoleSheet = shippedAs(Buffer.from(layered('pages', [sheet])), 'console', 'css')
