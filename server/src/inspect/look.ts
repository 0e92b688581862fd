// What the child process and the inspections of the formats say to each other. docs/contract/attachments.md#formats.
import { fstatSync, readSync, writeSync } from 'node:fs'
import type { DerivedName } from '../storage/keys.ts'
import type { FileFormat, Purpose } from './formats.ts'

/** What an inspection gets: only open descriptors, because it can open no other file. */
export interface Work {
  readonly format: FileFormat
  readonly purpose: Purpose
  /** The original, to be read by position. */
  readonly original: number
  readonly originalBytes: number
  /** Empty files for what is derived; one that stays empty was not derived. */
  readonly derived: Readonly<Record<DerivedName, number>>
  /** The most bytes that the derived files may have together. */
  readonly derivedBytes: number
}

export interface MediaFacts {
  width: number | null
  height: number | null
  durationMilliseconds: number | null
  framesPerSecond: number | null
  videoCodec: string | null
  audioCodec: string | null
}

/** Why a file of a known format was rejected, as `moderation.reason` says it. */
export type RejectionReason = (typeof rejectionReasons)[number]
export const rejectionReasons = [
  'broken',
  'encrypted',
  'external_reference',
  'dimensions',
  'duration',
  'frame_rate',
  'codec',
  'limits',
] as const

export type Finding = { outcome: 'ready'; facts: MediaFacts } | { outcome: 'rejected'; reason: RejectionReason }

/** The exit code of an inspection that could not write; EX_TEMPFAIL of sysexits.h. */
export const diskFailed = 75

export type Look = (work: Work) => Finding | Promise<Finding>

/**
 * Loads everything that the inspection of a format needs, for afterwards no file can be opened, and answers it.
 * Whatever the inspection throws is the outcome `broken`.
 */
export type Prepare = (format: FileFormat, purpose: Purpose) => Promise<Look>

export const noFacts: MediaFacts = {
  width: null,
  height: null,
  durationMilliseconds: null,
  framesPerSecond: null,
  videoCodec: null,
  audioCodec: null,
}

export const ready = (facts: Partial<MediaFacts> = {}): Finding => ({
  outcome: 'ready',
  facts: { ...noFacts, ...facts },
})

export const rejected = (reason: RejectionReason): Finding => ({ outcome: 'rejected', reason })

/**
 * The finding, also where the look throws: what libraries say of hostile input may quote it, and is worth no more. Only a
 * disk that fails is no finding: the file may be sound.
 */
export async function conclude(look: Look, work: Work): Promise<Finding> {
  try {
    return await look(work)
  } catch (error) {
    if (['ENOSPC', 'EDQUOT', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    const isExhausted = /out of memory|allocation failed|(could not|failed to) allocate|enlarge memory|aborted\(/i.test(
      String(error),
    )
    return rejected(isExhausted ? 'limits' : 'broken')
  }
}

/** The bytes of a descriptor from a position on; fewer than asked for only at its end. */
export function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

export const readWhole = (file: number): Buffer => readAt(file, 0, fstatSync(file).size)

export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written, bytes.length - written)
}
