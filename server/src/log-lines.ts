// A line of the log as people read it on a terminal: the time, how bad it is, what happened and why, and what else is known. The usual
// printer of pino's lines puts a cause on several lines, and lets what is in a value steer the terminal.
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]
/** Colours only where the terminal has them and NO_COLOR does not say otherwise. */
type Paint = (style: Style, text: string) => string

interface LineOptions {
  /** Whether an error shows where it came from, on lines of its own. */
  frames: boolean
  paint?: Paint
}

const styles: Readonly<Record<string, Style>> = {
  trace: 'dim',
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: ['bold', 'red'],
}

/** Makes a line of JSON, as pino writes it, a line for people; one that is not JSON stays. */
export function lineFor({ frames, paint = styleText }: LineOptions): (json: string) => string {
  return (json) => {
    let entry: Record<string, unknown>
    try {
      entry = JSON.parse(json)
    } catch {
      return json
    }
    const { level, time, msg, error, repeated, ...facts } = entry
    const name = String(level)
    const cause = causeOf(error)
    const words = [
      paint('dim', clock(time)),
      paint(styles[name] ?? 'dim', name.padEnd(5)),
      harmless([msg, cause].filter((text) => text !== undefined && text !== '').join(': ')),
      ...Object.entries(facts).map(([key, value]) => paint('dim', `${harmless(key)}=${valueText(value)}`)),
      repeated !== undefined && paint('dim', `(${valueText(repeated)} times more)`),
    ]
    const line = words.filter((word) => word !== false && word !== '').join(' ')
    return `${[line, ...(frames ? framesOf(error) : []).map((frame) => paint('dim', harmless(frame)))].join('\n')}\n`
  }
}

/** Of the machine's own day: whoever sits at the terminal is there. */
function clock(time: unknown): string {
  const at = new Date(String(time))
  if (Number.isNaN(at.getTime())) return '--:--:--'
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Why, in words where there are some, and by its code. */
function causeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return error === undefined ? undefined : String(error)
  const { name, code, message, constraint, table } = error as Record<string, unknown>
  const said =
    typeof message === 'string' && message !== '' ? message : [name, constraint, table].filter(Boolean).join(' ')
  return code === undefined || code === null || said.includes(String(code)) ? said : `${said} (${code})`
}

const framesOf = (error: unknown): string[] => {
  const { frames } = (error ?? {}) as { frames?: unknown }
  return Array.isArray(frames) ? frames.map(String) : []
}

/** Bare where it is one word, else as JSON has it. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"\p{Cc}]+$/u.test(value) ? value : JSON.stringify(value)
  return harmless(text ?? String(value))
}

/** What would end the line, steer the terminal or turn the direction of what follows is shown by its number. */
const harmless = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
