// The command's entry: it runs by being loaded.
import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2))
