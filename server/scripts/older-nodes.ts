// What a migration may not do while nodes of the version before run on the same database: docs/adding-an-endpoint.md#migrations.

/** What older nodes rely on, by what a clause of a migration does to it. Clauses have lost what is in parentheses. */
const risks: readonly [pattern: RegExp, what: string][] = [
  [/^drop (?:table|view|materialized view|function|type|sequence|schema)\b/, 'removes'],
  [/^alter .*\bdrop (?:column|default)\b/, 'removes'],
  [/^drop index\b/, 'removes an index'],
  [/^alter .*\brename\b/, 'renames'],
  [/^alter table .*\balter (?:column )?\S+ (?:set data )?type\b/, 'changes a type'],
  [/^alter table .*\bset not null\b/, 'requires a value that they do not write'],
  [/^alter table \S+ add (?!.*\b(?:default|generated)\b).*\bnot null\b/, 'requires a value that they do not write'],
  [/^alter table \S+ add (?:constraint \S+ )?(?:check|unique|primary key|foreign key|exclude)\b/, 'refuses rows'],
  [/^create unique index\b/, 'refuses rows'],
  [/^create (?:or replace )?(?:constraint )?trigger\b/, 'changes what their writes do'],
  [/^create or replace function\b/, 'changes what they call'],
  [/^(?:lock|truncate|cluster|vacuum)\b/, 'makes them wait'],
]

/** A comment in front of a statement that says why older nodes live with it, or that they must be stopped first. */
const reason = /^\s*-- Older nodes: \S/m

/** Clauses that nodes of the version before may not live with and that give no reason; each in a line. */
export function hurtsOlderNodes(sql: string): string[] {
  const statements = statementsOf(sql)
  const made = statements.flatMap(({ words }) => /^create table (?:if not exists )?([^\s(]+)/.exec(words)?.[1] ?? [])
  return statements.flatMap(({ words, text }) => {
    const table = /^(?:alter table (?:only )?(?:if exists )?|create .*? on (?:only )?)([^\s(]+)/.exec(words)?.[1]
    if (reason.test(text) || (table !== undefined && made.includes(table))) return []
    return clausesOf(words).flatMap((clause) => {
      const risk = risks.find(([pattern]) => pattern.test(clause))
      return risk ? [`${risk[1]}: ${clause}`] : []
    })
  })
}

/** `alter table t add a, add b` as two, each without what is in parentheses. */
function clausesOf(words: string): string[] {
  let flat = words
  for (let before = ''; before !== flat; ) {
    before = flat
    flat = flat.replace(/ ?\([^()]*\)/g, '')
  }
  const [head] = /^alter table (?:only )?(?:if exists )?\S+ /.exec(flat) ?? []
  if (head === undefined) return [flat]
  return flat
    .slice(head.length)
    .split(',')
    .map((clause) => head + clause.trim())
}

interface Statement {
  /** In lower case, without comments, strings and line ends. */
  words: string
  /** With the comments in front of it. */
  text: string
}

/** Cuts at each `;` that is not in a comment, a string or the body of a function. */
function statementsOf(sql: string): Statement[] {
  const pieces = sql.split(/(--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\2\$|;)/)
  const statements: Statement[] = []
  let [words, text] = ['', '']
  for (let at = 0; at < pieces.length; at += 3) {
    words += pieces[at]
    text += pieces[at]
    const between = pieces[at + 1] ?? ';'
    text += between
    if (!between.startsWith('--')) words += between === ';' ? '' : "''"
    if (between !== ';') continue
    const line = words.trim().replace(/\s+/g, ' ').toLowerCase()
    if (line !== '') statements.push({ words: line, text })
    words = ''
    text = ''
  }
  return statements
}
