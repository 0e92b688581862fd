// Frames that ws does not report: unsolicited pongs, pings, and the fragments of a message. RFC 6455, section 5.2: two
// bytes, a longer length, a mask, and the payload, which is skipped here.

/** A frame's header: its operation (0 continues a message, 8 and above control the connection). */
export interface FrameHeader {
  opcode: number
  /** Whether it ends its message. */
  final: boolean
}

/**
 * Returns a function that takes a client's bytes, however they are cut, and reports each frame once its header is
 * complete.
 */
export function frameReader(tell: (header: FrameHeader) => void): (bytes: Buffer) => void {
  const header = Buffer.alloc(10)
  let have = 0
  /** Bytes of the mask and the payload that are still to come. */
  let rest = 0
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (rest > 0) {
        const passed = Math.min(rest, bytes.length - at)
        rest -= passed
        at += passed
        continue
      }
      header[have++] = bytes[at++] as number
      const short = (header[1] as number) & 0x7f
      if (have < 2 || have < headerSize(short)) continue
      have = 0
      rest = short < 126 ? short : short === 126 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2))
      if ((header[1] as number) & 0x80) rest += 4
      const first = header[0] as number
      tell({ opcode: first & 0x0f, final: first >= 0x80 })
    }
  }
}

const headerSize = (short: number): number => (short < 126 ? 2 : short === 126 ? 4 : 10)
