// The texts of a PNG. The decoder would inflate each of them: a few bytes of a file become gigabytes.
// PNG (Third Edition), 11.3.3.

const types: ReadonlySet<number> = new Set(
  ['tEXt', 'zTXt', 'iTXt'].map((type) => Buffer.from(type, 'latin1').readUInt32BE()),
)
const pictureType = Buffer.from('IDAT', 'latin1').readUInt32BE()
const signatureBytes = 8
/** Length, type and checksum. */
const aroundData = 12

/** The PNG without the texts in front of its picture; the decoder reads none behind it. */
export function withoutTexts(png: Buffer): Buffer {
  const kept: Buffer[] = []
  let from = 0
  for (let start = signatureBytes; start + aroundData <= png.length; ) {
    const end = start + aroundData + png.readUInt32BE(start)
    const type = png.readUInt32BE(start + 4)
    if (type === pictureType || end > png.length) break
    if (types.has(type)) {
      if (start > from) kept.push(png.subarray(from, start))
      from = end
    }
    start = end
  }
  return from === 0 ? png : Buffer.concat([...kept, png.subarray(from)])
}
