// Characters and texts that the probes are made of. docs/contract/representation.md#text.

/** What no text may have: controls, and surrogates that are no pair. */
export const controls = [
  ...['\u0000', '\u0007', '\u000b', '\u001b[2J', '\u007f', '\u0085', '\u009b', '\r'],
  ...['\ud800', '\udc00\ud800'],
]
/** What no line may have besides. */
export const lineBreakers = ['\n', '\r\n', '\t', '\u2028', '\u2029']
export const turners = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']

/** Of each kind of character that shows nothing. */
export const invisible = ['\u200b', '\u3164', '\u115f\u1160', '\uffa0', '\u2800', '\u00ad', '\u0301', '\u{e0061}']

/** Examples for each pattern: a shape with a pattern that is not here fails. */
const patterns: Readonly<Record<string, { good: readonly string[]; bad: readonly string[] }>> = {
  '^[a-z][a-z0-9_]{2,31}$': {
    good: ['abc', `a${'9_'.repeat(15)}z`],
    bad: ['', 'ab', `a${'b'.repeat(32)}`, 'Abc', '1bc', '_bc', 'a-b', 'a b', ' abc', 'abc\n', 'äbc', 'аbc'],
  },
  '^[0-9]{6}$': {
    good: ['000000', '999999'],
    bad: ['', '12345', '1234567', '12345a', ' 12345', '１２３４５６', '123456\n'],
  },
  '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$': {
    good: ['A'.repeat(43), `${'_-'.repeat(21)}8`],
    bad: ['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(43)}=`, `${'A'.repeat(42)}B`, `${'A'.repeat(41)}+A`],
  },
  '^[a-z][a-z0-9_]{0,39}$': {
    good: ['a', `a${'9'.repeat(39)}`],
    bad: ['', `a${'9'.repeat(40)}`, 'A', '1a', '_a', '__proto__', 'a-b', 'é', ' a', 'a\n'],
  },
  '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$': {
    good: ['a', `Z${'.:-_'.repeat(24)}999`],
    bad: ['', 'a'.repeat(101), '-a', '_a', '.a', ':a', ' a', 'a b', 'a/b', 'é', 'ａ', 'a\n', 'a\u0000'],
  },
  '^(input|result|progress|file)-[1-9][0-9]?$': {
    good: ['input-1', 'result-99', 'progress-10', 'file-9'],
    bad: [
      '',
      'result',
      'result-',
      'result-0',
      'result-01',
      'result-100',
      'Result-1',
      'cat-1',
      'result-1.jpg',
      'result-１',
      ' result-1',
      'result-1\n',
      '../result-1',
    ],
  },
  "^/api/v1/[A-Za-z0-9._~!$&'()*+,;=:@%/{}-]+$": {
    good: ['/api/v1/a', `/api/v1/${'{'.repeat(192)}`],
    bad: [
      ...['', '/api/v1', '/api/v1/', '/api/v2/a', 'api/v1/a', '//a/api/v1/a', 'https://a/api/v1/a', '/ws/v1/events/'],
      ...['?b=c', '#b', ' b', 'é', '<b>', '\\b', '\n'].map((end) => `/api/v1/a${end}`),
      '\n/api/v1/a',
    ],
  },
}

export const patternOf = (pattern: string) => {
  const found = patterns[pattern]
  if (!found) throw new Error(`server/test/probe-samples.ts has no examples for the pattern ${pattern}`)
  return found
}
