// The colours of links and buttons, made from the one that an operator chose: its hue, as light or dark as text needs it on every
// ground of the shipped sheet. docs/site.md#colour.

/** What of the sheet's colours stays, as style/tokens.css has it. */
const light = { grounds: ['#fbfaf7', '#ffffff', '#f3f1eb'], ink: '#1c1f1d' } as const
const dark = { grounds: ['#121513', '#191d1b', '#1f2421'], ink: '#e9ece8' } as const

/** WCAG 2.2, 1.4.3. */
const leastContrast = 4.5

export interface Accents {
  accent: string
  accentStrong: string
  accentWash: string
  onAccent: string
}

interface Palette {
  light: Accents
  dark: Accents
}

/** In which each pair of colours that text uses has a contrast of 4.5:1 or more, whatever was chosen. */
export function paletteOf(colour: string): Palette {
  const { lightness, chroma, hue } = oklchOf(colour)
  const shade = (at: number, most: number): string => hexOf({ lightness: at, chroma: Math.min(chroma, most), hue })
  const washes = { light: shade(0.945, 0.03), dark: shade(0.295, 0.045) }
  const onDark = shade(0.22, 0.05)
  const accents = {
    light: searched(Math.min(lightness, 0.6), -0.01, (at) => shade(at, 0.2), [
      ...light.grounds,
      washes.light,
      '#ffffff',
    ]),
    dark: searched(Math.max(lightness, 0.72), 0.01, (at) => shade(at, 0.16), [...dark.grounds, washes.dark, onDark]),
  }
  return {
    light: {
      accent: accents.light.colour,
      accentStrong: shade(Math.max(accents.light.lightness - 0.1, 0.12), 0.18),
      accentWash: washes.light,
      onAccent: '#ffffff',
    },
    dark: {
      accent: accents.dark.colour,
      accentStrong: shade(Math.min(accents.dark.lightness + 0.07, 0.97), 0.12),
      accentWash: washes.dark,
      onAccent: onDark,
    },
  }
}

/** A sheet that says them in the layer in which the shipped one says its own. */
export function sheetOf({ light, dark }: Palette): string {
  const both = (name: keyof Accents): string => `light-dark(${light[name]},${dark[name]})`
  return `@layer tokens{:root{--accent:${both('accent')};--accent-strong:${both('accentStrong')};--accent-wash:${both('accentWash')};--on-accent:${both('onAccent')}}}\n`
}

/** The first shade from a lightness on that can be read on all of these. */
function searched(
  from: number,
  step: number,
  shade: (lightness: number) => string,
  grounds: readonly string[],
): { lightness: number; colour: string } {
  let lightness = from
  let colour = shade(lightness)
  while (grounds.some((ground) => contrast(colour, ground) < leastContrast) && lightness > 0 && lightness < 1) {
    lightness += step
    colour = shade(lightness)
  }
  return { lightness, colour }
}

/** The ratio of WCAG 2.2 between two colours. */
export function contrast(one: string, two: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

type Triple = readonly [number, number, number]

function luminance(colour: string): number {
  const [r, g, b] = linearOf(colour)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function linearOf(colour: string): Triple {
  const part = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

interface Oklch {
  lightness: number
  chroma: number
  /** In radians. */
  hue: number
}

// Oklab and its matrices: https://bottosson.github.io/posts/oklab/
function oklchOf(colour: string): Oklch {
  const [r, g, b] = linearOf(colour)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { lightness, chroma: Math.hypot(x, y), hue: Math.atan2(y, x) }
}

function linearIn({ lightness, chroma, hue }: Oklch): Triple {
  const [x, y] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** As strong a colour of that hue and lightness as a screen can show, up to its chroma. */
function hexOf(wanted: Oklch): string {
  let { chroma } = wanted
  const shown = (): Triple => linearIn({ ...wanted, chroma })
  while (chroma > 0 && shown().some((part) => part < -0.0005 || part > 1.0005)) chroma -= 0.002
  chroma = Math.max(chroma, 0)
  const parts = shown().map((part) => {
    const value = Math.min(Math.max(part, 0), 1)
    const encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

/** What text stands on, and what stands on the washes: for who checks the pairs. */
export const shippedGrounds = { light, dark }
