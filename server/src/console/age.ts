// How long something has waited, in the reader's words.
import { days, hours, minutes } from '../kernel/clock.ts'
import { html, type Part } from '../site/html.ts'
import type { Words } from '../site/words.ts'

/** `3 days`, with the exact moment for programs; never less than a minute. */
export function ageOf(words: Words, since: Date | string, now: Date): Part {
  const at = new Date(since)
  const age = Math.max(0, now.getTime() - at.getTime())
  const text =
    age < hours(2)
      ? words('console.age.minutes', { count: Math.max(1, Math.floor(age / minutes(1))) })
      : age < days(2)
        ? words('console.age.hours', { count: Math.floor(age / hours(1)) })
        : words('console.age.days', { count: Math.floor(age / days(1)) })
  return html`<time datetime="${at.toISOString()}">${text}</time>`
}
