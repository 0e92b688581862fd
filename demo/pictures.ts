// Pictures made of shapes, for the README and the town: the same bytes at every run.
import sharp from 'sharp'

/** A picture of shapes as PNG, a few KB long. */
export const png = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png({ palette: true, effort: 10 }).toBuffer()

const sheet = (width: number, height: number, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${inside}</svg>`

/** A face on a ground of a colour, 0 to 359. */
export const face = (hue: number): string =>
  sheet(
    320,
    320,
    `<rect width="320" height="320" fill="hsl(${hue},45%,72%)"/>
    <circle cx="160" cy="180" r="96" fill="#f6e3cf"/>
    <path d="M64 176a96 96 0 0 1 192 0q-40-56-96-56t-96 56z" fill="hsl(${hue},40%,28%)"/>
    <circle cx="128" cy="184" r="9"/><circle cx="192" cy="184" r="9"/>
    <path d="M124 226q36 30 72 0" fill="none" stroke="#7a3b2e" stroke-width="8" stroke-linecap="round"/>`,
  )

/** A lighthouse on its rock, by day or with its light on. */
export const lighthouse = (isNight = false): string => {
  const [sky, sea, rock] = isNight ? ['#16213e', '#0b1a2f', '#0a0f1c'] : ['#bfe3f2', '#3f88a8', '#4b5057']
  const light = isNight
    ? '<path d="M400 150L800 40v180z" fill="#ffe28a" opacity=".75"/><path d="M400 150L0 90v100z" fill="#ffe28a" opacity=".4"/>'
    : '<circle cx="650" cy="110" r="46" fill="#fff1b8"/>'
  return sheet(
    800,
    600,
    `<rect width="800" height="600" fill="${sky}"/>${light}
    <rect y="450" width="800" height="150" fill="${sea}"/>
    <path d="M240 500q60-70 160-70t160 70l40 60H200z" fill="${rock}"/>
    <path d="M360 440l14-260h52l14 260z" fill="#f7f4ee"/>
    <path d="M369 290l3-50h56l3 50zM363 390l3-50h68l3 50z" fill="#c0392b"/>
    <rect x="376" y="130" width="48" height="44" fill="${isNight ? '#ffe28a' : '#dfe8ec'}"/>
    <path d="M366 130l34-36 34 36z" fill="#c0392b"/><rect x="362" y="174" width="76" height="10" fill="#2b2b2b"/>`,
  )
}

/** A chart of depths: rings around a place, in a colour. */
export const chart = (hue: number): string =>
  sheet(
    800,
    600,
    `<rect width="800" height="600" fill="hsl(${hue},40%,90%)"/>
    ${[260, 210, 160, 110, 60].map((r, n) => `<ellipse cx="420" cy="310" rx="${r * 1.3}" ry="${r}" fill="hsl(${hue},45%,${82 - n * 10}%)" stroke="hsl(${hue},45%,35%)" stroke-width="2"/>`).join('')}
    <path d="M60 60h90M60 50v20M150 50v20" stroke="#333" stroke-width="4"/>
    <path d="M410 300l20 20M430 300l-20 20" stroke="#b03a2e" stroke-width="7"/>`,
  )

/** A shelf of books, whose colours begin at one. */
export const shelf = (hue: number): string =>
  sheet(
    800,
    600,
    `<rect width="800" height="600" fill="#efe6d8"/>
    ${Array.from({ length: 12 }, (_, n) => {
      const height = 240 + ((n * 53) % 130)
      return `<rect x="${76 + n * 54}" y="${480 - height}" width="46" height="${height}" fill="hsl(${(hue + n * 37) % 360},42%,${38 + ((n * 17) % 30)}%)"/>`
    }).join('')}
    <rect x="40" y="480" width="720" height="26" fill="#8a5a33"/>`,
  )
