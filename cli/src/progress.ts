// One line at the bottom of a terminal that says what is going on: a bar, or that it takes longer than a second.
import { cutTo } from './safe.ts'

export interface Progress {
  /** What is going on, in place of what stood there; empty ends it. */
  show(text: string): void
  /** Take the line away for something else to be written. */
  clear(): void
  /** Nothing is late from here on. */
  rest(): void
  /** Keep still while a person types. */
  without<T>(act: () => Promise<T>): Promise<T>
}

/** What a command needs of a terminal. */
type Terminal = Pick<NodeJS.WriteStream, 'write' | 'columns'>

const lateMs = 1_000
const tickMs = 250

/** Without a terminal it does nothing. */
export function createProgress(terminal: Terminal | undefined, now: () => number = () => performance.now()): Progress {
  if (!terminal) return { show() {}, clear() {}, rest() {}, without: (act) => act() }
  let said = ''
  let drawn = ''
  let since = now()
  let isQuiet = false
  const draw = (text: string) => {
    // A line that the terminal broke could not be taken back.
    const cut = cutTo(text, (terminal.columns || 80) - 1, '█░…')
    if (cut === drawn) return
    drawn = cut
    terminal.write(`\r\x1b[K${cut}`)
  }
  const tick = () => {
    const waited = now() - since
    if (isQuiet || waited < lateMs) return
    draw(`${said || 'waiting for the service'} … ${Math.floor(waited / 1000)} s`)
  }
  setInterval(tick, tickMs).unref()
  const clear = () => {
    draw('')
    since = now()
  }
  return {
    show(text) {
      if (text === said && text !== '') return
      said = text
      since = now()
      draw(text)
    },
    clear,
    rest() {
      clear()
      isQuiet = true
    },
    async without(act) {
      const before = isQuiet
      clear()
      isQuiet = true
      try {
        return await act()
      } finally {
        isQuiet = before
        since = now()
      }
    },
  }
}
