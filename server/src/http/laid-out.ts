// JSON as people read it and as a diff shows it best: whatever fits on one line is written on one line, an only member
// begins on the line of its holder, a list without objects and a map of references fill their lines, and a long text lengthens
// its line instead of breaking the object around it.

const width = 120

/**
 * A line for each member of what is wider than a line, its longest text not counted; `before` is how much of the first line
 * is taken already.
 */
export function laidOut(value: unknown, indent = '', before = 0): string {
  const line = inLine(value)
  if (typeof value !== 'object' || value === null) return line
  const members = membersOf(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const long = Math.max(0, ...members.map(([, each]) => (typeof each === 'string' ? each.length : 0)))
  if (before + indent.length + line.length - (open === '[' ? 0 : long) <= width) return line
  const [[name, only] = ['', null], ...others] = members
  if (others.length === 0)
    return `${open}${name}${laidOut(only, indent, before + open.length * 2 + name.length)}${close}`
  const inner = `${indent}  `
  const lines = members.map(([name, each]) => inner + name + laidOut(each, inner, name.length + 1))
  return `${open.trim()}\n${(isPlain(value) ? filled(lines, inner) : lines).join(',\n')}\n${indent}${close.trim()}`
}

const isPlain = (value: object) =>
  Object.values(value).every((each) => (Array.isArray(value) ? typeof each !== 'object' : each?.$ref !== undefined))
function filled(lines: readonly string[], indent: string): string[] {
  const full: string[] = []
  for (const line of lines) {
    const longer = `${full.at(-1)}, ${line.slice(indent.length)}`
    if (full.length > 0 && longer.length < width) full[full.length - 1] = longer
    else full.push(line)
  }
  return full
}

function inLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = membersOf(value).map(([name, each]) => name + inLine(each))
  if (Array.isArray(value)) return `[${members.join(', ')}]`
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}

/** Its members, each with its name as it is written: of a list, nothing. */
const membersOf = (value: object): [string, unknown][] =>
  Array.isArray(value)
    ? value.map((each) => ['', each])
    : Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[`${JSON.stringify(key)}: `, each]]))
