// The same words as an email’s text, set like the pages: for mail programs that show HTML. It is made of the text alone, so it can say
// nothing else, and it loads nothing.

/** What of the pages’ look an email has: its name, and its colour on light and on dark ground. */
export interface MailLook {
  name: string
  accent: string
  accentOnDark: string
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`)

const isLink = (line: string): boolean => /^https?:\/\/[\x21-\x7e]+$/.test(line)

const anchor = (url: string, label = url): string => `<a href="${escaped(url)}">${escaped(label)}</a>`

/** What a link below this line is called; undefined if the line names none. */
const labelIn = (line: string | undefined): string | undefined => /^[^>].*(?=:$)/.exec(line ?? '')?.[0]

/** Only an address on a line of its own is a link: what others wrote is never alone on one. */
function linked(lines: readonly string[]): string {
  const isNamed = (at: number): boolean => isLink(lines[at] ?? '') && labelIn(lines[at - 1]) !== undefined
  const shown = lines.flatMap((line, at) => {
    if (isNamed(at + 1)) return []
    return isLink(line) ? anchor(line, labelIn(lines[at - 1])) : escaped(line)
  })
  return shown.join('<br>')
}

/** A paragraph was broken into lines; facts have a line each. */
const isWrapped = (lines: readonly string[]): boolean =>
  lines.slice(0, -1).every((line) => line.length > 50) && !lines.some(isLink)

function block(text: string): string {
  const lines = text.split('\n')
  const [first = '', second = ''] = lines
  if (lines.length === 1 && /^\d{6}$/.test(first)) return `<p class="code">${first}</p>`
  const isButton = lines.length === 1 ? isLink(first) : lines.length === 2 && isLink(second) && labelIn(first)
  if (isButton) return `<p class="link">${linked(lines)}</p>`
  if (lines.every((line) => line.startsWith('> ')))
    return `<blockquote>${lines.map((line) => escaped(line.slice(2))).join('<br>')}</blockquote>`
  return `<p>${isWrapped(lines) ? escaped(lines.join(' ')) : linked(lines)}</p>`
}

const sheet = ({ accent, accentOnDark }: MailLook): string => `
body{margin:0;padding:24px 12px;background:#fbfaf7;color:#1c1f1d;font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{display:block;max-width:560px;margin:0 auto;padding:28px;border:1px solid #e3e0d8;border-radius:14px;background:#fff;overflow-wrap:anywhere}
p,blockquote{margin:0 0 16px}
a{color:${accent}}
.name{font-weight:700;font-size:18px;color:${accent}}
.code{padding:16px;border-radius:10px;background:#f3f1eb;font:700 30px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.2em;text-align:center}
.link a{display:inline-block;padding:12px 20px;border-radius:10px;background:${accent};color:#fff;font-weight:600;text-decoration:none}
blockquote{padding-left:16px;border-left:3px solid #cbc7bc;color:#565c58}
.foot{margin:24px 0 0;padding-top:16px;border-top:1px solid #e3e0d8;color:#565c58;font-size:14px}
@media (prefers-color-scheme:dark){
body{background:#121513;color:#e9ece8}
main{background:#191d1b;border-color:#2a302c}
a,.name{color:${accentOnDark}}
.code{background:#1f2421}
.link a{background:${accentOnDark};color:#191d1b}
blockquote,.foot{color:#a4ada7;border-color:#3f4a43}
}`

/** A whole document. */
export function htmlOf({ subject, body }: { subject: string; body: string }, look: MailLook): string {
  const blocks = body.trim().split(/\n{2,}/)
  const foot = blocks.length > 1 ? blocks.pop()?.split('\n') : undefined
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title>
<style>${sheet(look)}</style></head>
<body dir="auto"><main><p class="name">${escaped(look.name)}</p>
${blocks.map(block).join('\n')}
${foot === undefined ? '' : `<p class="foot">${linked(foot)}</p>`}
</main></body></html>
`
}
