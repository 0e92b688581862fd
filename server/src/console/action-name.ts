// What the audit log records, in words.
import { english, type Key, type Words } from '../site/words.ts'
import type { Action } from '../store/audit.ts'

/** Another version may have recorded what this one has no words for. */
export function actionName(words: Words, action: string): string {
  const key = `console.action.${action as Action}` satisfies Key
  return Object.hasOwn(english, key) ? words.text(key) : action
}
