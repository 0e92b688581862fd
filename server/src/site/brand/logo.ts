// An operator's logo: an SVG or a PNG, by what is in the file. It is only ever shown as a picture, in which nothing of an SVG runs.
import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config.ts'
import { type Asset, assetOf } from '../assets.ts'

export interface Logo extends Asset {
  /** As it is shown in the header, in CSS pixels. */
  width: number
  height: number
}

const mostBytes = 64 * 1024
const height = 28
/** The name beside it needs room as well. */
const mostWidth = 168

/** Throws a {@link ConfigError} of one line where the file is no logo. */
export function readLogo(path: string): Logo {
  const bytes = read(path)
  if (bytes.length > mostBytes) wrong('is larger than 64 KiB')
  const drawn = isPng(bytes)
    ? { ...assetOf('logo', 'png', bytes), ratio: ratioOfPng(bytes) }
    : { ...assetOf('logo', 'svg', bytes), ratio: ratioOfSvg(bytes) }
  const { ratio = wrong('is neither an SVG nor a PNG'), ...asset } = drawn
  return { ...asset, height, width: Math.round(Math.min(Math.max(height * ratio, 1), mostWidth)) }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return wrong('cannot be read')
  }
}

function wrong(problem: string): never {
  throw new ConfigError(`Malformed setting SITE_LOGO: the file ${problem}`)
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(signature)

/** Of the first chunk, IHDR, which every PNG begins with. */
function ratioOfPng(bytes: Buffer): number | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return ratio(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

/** Of its `viewBox`, or its own width and height; a square where it says neither. */
function ratioOfSvg(bytes: Buffer): number | undefined {
  const root = rootOf(bytes)
  if (root === undefined) return undefined
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root)?.slice(1).find(Boolean)
  const [, , width, height] = (attribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const pixels = (name: string): number => Number(/^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(attribute(name) ?? '')?.[1])
  return ratio(width, height) ?? ratio(pixels('width'), pixels('height')) ?? 1
}

/** The start tag of the root element of a text that is one SVG, as far as a look tells. */
function rootOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /^\s*(?:<\?xml[^>]*\?>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE[^>[]*>\s*)*(<svg\s[^>]*>)/i.exec(text)?.[1]
  } catch {
    return undefined
  }
}

const ratio = (width = 0, height = 0): number | undefined =>
  width > 0 && height > 0 && Number.isFinite(width / height) ? width / height : undefined
