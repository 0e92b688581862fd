// Profiles of colours, and what they are computed from. ICC.1:2022, 8.3, 8.4, 10.6 and 10.18.

export const srgbPoints: readonly number[] = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]

export type Triple = [number, number, number]
type Matrix = [Triple, Triple, Triple]

export const times = (matrix: Matrix, [a, b, c]: Triple): Triple =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as Triple

export const product = (a: Matrix, b: Matrix): Matrix =>
  transposed(transposed(b).map((column) => times(a, column)) as Matrix)

export const transposed = ([a, b, c]: Matrix): Matrix => [0, 1, 2].map((row) => [a[row], b[row], c[row]]) as Matrix

export function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const [x, y, z] = [e * i - f * h, f * g - d * i, d * h - e * g]
  const determinant = a * x + b * y + c * z
  const cofactors = [x, c * h - b * i, b * f - c * e, y, a * i - c * g, c * d - a * f, z, b * g - a * h, a * e - b * d]
  const [p, q, r, s, t, u, v, w, last] = cofactors.map((value) => value / determinant) as number[]
  return [
    [p, q, r],
    [s, t, u],
    [v, w, last],
  ] as Matrix
}

/** The white of profiles. */
export const d50: Triple = [0.9642, 1, 0.8249]

/** How the eye follows one white to another, after Bradford. */
const cones: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** What red, green and blue of full strength are under the white of profiles. */
export function primariesOf(points: readonly number[]): Matrix {
  const xyz = (index: number): Triple => {
    const [x, y] = points.slice(index * 2, index * 2 + 2) as [number, number]
    return [x / y, 1, (1 - x - y) / y]
  }
  const white = xyz(0)
  const pure = transposed([xyz(1), xyz(2), xyz(3)])
  const strengths = times(inverse(pure), white)
  const [from, to] = [times(cones, white), times(cones, d50)]
  const gains = [0, 1, 2].map((cone) => {
    const gain: Triple = [0, 0, 0]
    gain[cone] = (to[cone] as number) / (from[cone] as number)
    return gain
  }) as Matrix
  const adapted = product(inverse(cones), product(product(gains, cones), pure))
  return transposed(adapted).map((primary, index) =>
    primary.map((value) => value * (strengths[index] as number)),
  ) as Matrix
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A number of 16 bits in front of the point and 16 behind it. */
export const fixed = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65_536))
  return bytes
}

export const tag = (type: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type, 'latin1'), Buffer.alloc(4), content])

export const xyz = (triple: Triple): Buffer => tag('XYZ ', Buffer.concat(triple.map(fixed)))

export const greyProfile = (curve: Buffer): Buffer => assembled('GRAY', 'XYZ ', [['kTRC', curve]])

/** A profile of a display, from colours of a space to those of another. */
export function assembled(
  space: string,
  connection: string,
  own: readonly (readonly [name: string, content: Buffer])[],
): Buffer {
  const tags = [['wtpt', xyz(d50)] as const, ...own]
  const header = Buffer.alloc(128)
  header.writeUInt32BE(0x0430_0000, 8)
  header.write(`mntr${space}${connection}`, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  Buffer.concat(d50.map(fixed)).copy(header, 68)
  let place = 128 + 4 + tags.length * 12
  const table = tags.map(([name, content]) => {
    const row = Buffer.concat([Buffer.from(name, 'latin1'), uint32(place), uint32(content.length)])
    place += content.length
    return row
  })
  header.writeUInt32BE(place)
  return Buffer.concat([header, uint32(tags.length), ...table, ...tags.map(([, content]) => content)])
}
