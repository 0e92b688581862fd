// Puts one file into the storage of the settings, as a process that a test kills in the middle.
import { readConfig } from '../config.ts'
import { openStorage } from './open.ts'

const [key = '', path = ''] = process.argv.slice(2)
const storage = await openStorage(readConfig(process.env))
process.stdout.write('putting\n')
await storage.put(key, path)
process.stdout.write('put\n')
await storage.close()
