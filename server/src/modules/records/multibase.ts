// Bytes as multibase in base58btc (https://www.w3.org/TR/cid-1.0/#multibase-0): as keys and signatures are written.

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function multibase(bytes: Buffer): string {
  let digits = ''
  for (let rest = BigInt(`0x0${bytes.toString('hex')}`); rest > 0n; rest /= 58n) {
    digits = alphabet[Number(rest % 58n)] + digits
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return `z${alphabet[0]?.repeat(zeros < 0 ? bytes.length : zeros)}${digits}`
}
