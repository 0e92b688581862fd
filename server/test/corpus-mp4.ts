// MP4s as cameras, editors and servers write them: the pictures and sound of one made here, reassembled by hand.
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny'
import { box, boxAt, u32 } from './corpus-media.ts'

interface MadeSample {
  data: Buffer
  /** In the track's units. */
  duration: number
  offset: number
  isKey: boolean
}

export interface MadeTrack {
  handler: 'vide' | 'soun' | 'meta' | 'text'
  /** A sample description, whole. */
  description: Buffer | null
  timescale: number
  samples: readonly MadeSample[]
  isEnabled?: boolean
  /** Rows of an edit list: how long in thousandths, and from which unit on. */
  edits?: readonly (readonly [duration: number, media: number])[]
  /** What the media header says of the length, where it is not the sum. */
  declared?: number
}

export interface MadeMovie {
  tracks: readonly MadeTrack[]
  /** How many samples of each track are in the index; the others follow in fragments of this many. */
  indexed?: number
  perFragment?: number
  /** When the first fragment says that it is decoded, in seconds, where nothing stands before it. */
  begins?: number
  brand?: string
  /** Whether sizes and positions have 64 bits, and the index stands at the end. */
  isLarge?: boolean
  /** What stands behind the last box. */
  trailer?: Buffer
}

const u16 = (value: number): Buffer => u32(value).subarray(2)
const full = (type: string, ...contents: readonly (Buffer | number)[]): Buffer => box(type, 0, ...contents)
const identity = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32))

/** The tracks of an MP4 that is not in fragments, to be put together otherwise. */
export async function tracksOf(bytes: Buffer): Promise<MadeTrack[]> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const made: MadeTrack[] = []
  const moov = boxAt(bytes, ['moov'])
  let from = moov.start
  for (const track of await input.getTracks()) {
    const trak = boxAt(bytes, ['trak'], from, moov.end)
    from = trak.end
    const stsd = boxAt(bytes, ['mdia', 'minf', 'stbl', 'stsd'], trak.start, trak.end)
    const timescale = await track.getTimeResolution()
    made.push({
      handler: track.type === 'video' ? 'vide' : 'soun',
      description: bytes.subarray(stsd.start + 8, stsd.end),
      timescale,
      samples: await samplesOf(track, timescale),
    })
  }
  return made
}

async function samplesOf(track: InputTrack, timescale: number): Promise<MadeSample[]> {
  const samples: MadeSample[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const duration = Math.round(packet.duration * timescale)
    samples.push({ data: Buffer.from(packet.data), duration, offset: 0, isKey: packet.type === 'key' })
  }
  return samples
}

/** Puts a file together; what is in the index has one chunk a track. */
export function mp4Of({
  tracks,
  indexed,
  perFragment = 25,
  begins,
  brand = 'isom',
  isLarge = false,
  trailer,
}: MadeMovie): Buffer {
  const inIndex = tracks.map(({ samples }) => samples.slice(0, indexed))
  const rest = tracks.map(({ samples }) => (indexed === undefined ? [] : samples.slice(indexed)))
  const type = box('ftyp', Buffer.from(brand, 'latin1'), 0, Buffer.from(`${brand}mp42`, 'latin1'))
  const stored = inIndex.map((samples) => Buffer.concat(samples.map(({ data }) => data)))
  const index = (at: number): Buffer => {
    const positions = stored.map((_, track) => at + stored.slice(0, track).reduce((sum, { length }) => sum + length, 0))
    const traks = tracks.map((track, number) =>
      trak({ ...track, samples: inIndex[number] as MadeSample[] }, number + 1, positions[number] as number, isLarge),
    )
    const header = full(
      'mvhd',
      0,
      0,
      1000,
      indexed === undefined ? longest(tracks) : 0,
      0x10000,
      u16(0x100),
      Buffer.alloc(10),
      identity,
      Buffer.alloc(24),
      99,
    )
    const trexes = tracks.map((_, number) => full('trex', number + 1, 1, 0, 0, 0))
    return box('moov', header, ...traks, ...(indexed === undefined ? [] : [box('mvex', ...trexes)]))
  }
  const data = Buffer.concat(stored)
  const parts = isLarge
    ? [type, u32(1), Buffer.from('mdat'), 0, u32(data.length + 16), data, index(type.length + 16)]
    : [type, index(type.length + index(0).length + 8), box('mdat', data)]
  const file: Buffer[] = [Buffer.concat(parts.map((part) => (typeof part === 'number' ? u32(part) : part)))]
  const times = tracks.map(({ timescale }, track) =>
    (inIndex[track] as MadeSample[]).reduce(
      (sum, { duration }) => sum + duration,
      Math.round((begins ?? 0) * timescale),
    ),
  )
  const rounds = Math.ceil(Math.max(...rest.map(({ length }) => length)) / perFragment)
  for (let round = 0; round < rounds; round++) {
    for (const [track, samples] of rest.entries()) {
      const run = samples.slice(round * perFragment, (round + 1) * perFragment)
      if (run.length > 0) file.push(fragment(track + 1, times[track] as number, run))
      times[track] = run.reduce((sum, { duration }) => sum + duration, times[track] as number)
    }
  }
  if (trailer) file.push(trailer)
  return Buffer.concat(file)
}

/** How long the longest track is shown, in thousandths. */
const longest = (tracks: readonly MadeTrack[]): number =>
  Math.max(
    ...tracks.map(({ edits, samples, timescale }) =>
      edits
        ? edits.reduce((sum, [duration]) => sum + duration, 0)
        : Math.round((samples.reduce((sum, { duration }) => sum + duration, 0) / timescale) * 1000),
    ),
  )

function fragment(track: number, time: number, samples: readonly MadeSample[]): Buffer {
  const rows = samples.flatMap(({ data, duration, offset, isKey }) =>
    [duration, data.length, isKey ? 0x2000000 : 0x1010000, offset >>> 0].map(u32),
  )
  const made = (offset: number): Buffer =>
    box(
      'moof',
      full('mfhd', 1),
      box(
        'traf',
        box('tfhd', 0x20000, track),
        full('tfdt', time),
        box('trun', 0x1000f01, samples.length, offset, ...rows),
      ),
    )
  return Buffer.concat([made(made(0).length + 8), box('mdat', ...samples.map(({ data }) => data))])
}

function trak(track: MadeTrack, number: number, position: number, isLarge: boolean): Buffer {
  const { handler, description, timescale, samples, edits } = track
  const total = samples.reduce((sum, { duration }) => sum + duration, 0)
  const keys = samples.flatMap(({ isKey }, index) => (isKey ? [index + 1] : []))
  const isShifted = samples.some(({ offset }) => offset !== 0)
  const tables = box(
    'stbl',
    full('stsd', description ? 1 : 0, description ?? Buffer.alloc(0)),
    full('stts', samples.length, ...samples.flatMap(({ duration }) => [1, duration])),
    ...(isShifted
      ? [box('ctts', 0x1000000, samples.length, ...samples.flatMap(({ offset }) => [1, offset >>> 0]))]
      : []),
    ...(handler === 'vide' ? [full('stss', keys.length, ...keys)] : []),
    samples.length > 0 ? full('stsc', 1, 1, samples.length, 1) : full('stsc', 0),
    full('stsz', 0, samples.length, ...samples.map(({ data }) => data.length)),
    isLarge
      ? full('co64', samples.length > 0 ? 1 : 0, ...(samples.length > 0 ? [0, position] : []))
      : full('stco', samples.length > 0 ? 1 : 0, ...(samples.length > 0 ? [position] : [])),
  )
  const list =
    edits && full('elst', edits.length, ...edits.flatMap(([duration, media]) => [duration, media >>> 0, 0x10000]))
  return box(
    'trak',
    box('tkhd', track.isEnabled === false ? 0 : 3, 0, 0, number, 0, 0, Buffer.alloc(16), identity, 64 << 16, 64 << 16),
    ...(list ? [box('edts', list)] : []),
    box(
      'mdia',
      full('mdhd', 0, 0, timescale, track.declared ?? total, 0x55c40000),
      full('hdlr', 0, Buffer.from(handler), 0, 0, 0, Buffer.of(0)),
      box('minf', box('dinf', full('dref', 1, box('url ', 1))), tables),
    ),
  )
}

/** A track of what a camera measured: a word at each of some moments. */
export const measured = (format: string, handler: 'meta' | 'text' = 'meta'): MadeTrack => ({
  handler,
  description: box(format, 0, u32(1), Buffer.from('application/x\0')),
  timescale: 1000,
  samples: [0, 1].map(() => ({ data: Buffer.from('north'), duration: 10, offset: 0, isKey: true })),
  // Longer than its samples: it goes on until the video ends.
  declared: 60_000,
})
