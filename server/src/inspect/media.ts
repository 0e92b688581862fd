// Looks into MP4, MP3 and WAV. docs/contract/attachments.md#formats.
import { type Finding, type Look, type Prepare, ready, rejected } from './look.ts'
import { type AudioFacts, readMp3, readWav } from './media-audio.ts'
import { Rejection, reject, roundingSeconds } from './media-reject.ts'

const longestAudio = 30 * 60 + roundingSeconds

/** Loads the decoders only for what is decoded, a portfolio's video; of everything else the headers are read. */
export const prepare: Prepare = async (format, purpose) => {
  if (format === 'mp3') return caught((work) => audio(readMp3(work.original, work.originalBytes, longestAudio)))
  if (format === 'wav') return caught((work) => audio(readWav(work.original, work.originalBytes)))
  const { inspectVideo } = await import('./media-video.ts')
  if (purpose === 'order') return caught((work) => inspectVideo(work))
  const { normalise } = await import('./transcode.ts')
  return caught((work) => inspectVideo(work, normalise))
}

function audio({ codec, seconds }: AudioFacts): Finding {
  if (seconds > longestAudio) reject('duration')
  return ready({ durationMilliseconds: Math.round(seconds * 1000), audioCodec: codec })
}

const caught =
  (look: Look): Look =>
  async (work) => {
    try {
      return await look(work)
    } catch (error) {
      if (error instanceof Rejection) return rejected(error.reason)
      throw error
    }
  }
