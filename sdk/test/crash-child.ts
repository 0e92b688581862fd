// A run that is killed on the way: node crash-child.ts <scenario> <folder> <origin> <n> <calls|awaits>.
import { dieAt } from './killer.ts'
import { scenarios } from './scenarios.ts'

const [scenario, folder, origin, n, where] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  'calls' | 'awaits',
]
// The first request loads parts of Node lazily; that is not what is being killed.
await fetch(`${origin}/warm`)
await dieAt(Number(n), where)
await scenarios[scenario as keyof typeof scenarios](folder, origin)
process.stdout.write('completed')
process.exit(0)
