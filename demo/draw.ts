// node demo/draw.ts: draws the two pictures that the README publishes.
import { writeFile } from 'node:fs/promises'
import { face, lighthouse, png } from './pictures.ts'

await writeFile(new URL('face.png', import.meta.url), await png(face(200)))
await writeFile(new URL('lighthouse.png', import.meta.url), await png(lighthouse()))
