// npm run pack [-- FOLDER]: writes the packages that a server of this checkout hands out, byte for byte; to dist/ unless told.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFileName, packageNames, packed, sdkManifest } from '../src/site/machines/pack.ts'

const [folder = 'dist'] = process.argv.slice(2)
const { version } = await sdkManifest()
await mkdir(folder, { recursive: true })
for (const name of packageNames) {
  const file = join(folder, packageFileName(name, version))
  await writeFile(file, await packed(name))
  console.log(file)
}
