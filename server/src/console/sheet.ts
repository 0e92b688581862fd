// The styles that only the console has: public pages do not load them.
import { shipped } from '../site/assets.ts'

export const consoleSheet = shipped(new URL('./console.css', import.meta.url), 'console', 'css')
