// JSON as people read it and as a diff shows it best: whatever fits on one line is written on one line.

const width = 120

/** A line for each member of what is wider than a line; `before` is how much of the first line is taken already. */
export function laidOut(value: unknown, indent = '', before = 0): string {
  const line = inLine(value)
  if (before + indent.length + line.length <= width || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((each) => laidOut(each, inner, 1))
    : entriesOf(value).map(([key, each]) => {
        const name = `${JSON.stringify(key)}: `
        return name + laidOut(each, inner, name.length + 1)
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`
}

function inLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`
  const members = entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${inLine(each)}`)
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}

const entriesOf = (value: object): [string, unknown][] => Object.entries(value).filter(([, each]) => each !== undefined)
