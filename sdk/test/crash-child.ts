// A run with points where it may be killed, at every `step`th of them from the `first` on it is killed or stands still
// until it is looked at: node crash-child.ts <scenario> <folder> <origin> <calls|awaits> <kill|stop> <first> <step>.
import { readSync, writeSync } from 'node:fs'
import { atEveryPoint } from './points.ts'
import { scenarios } from './scenarios.ts'

const [scenario, folder, origin, where, how, ...numbers] = process.argv.slice(2) as [
  keyof typeof scenarios,
  string,
  string,
  'calls' | 'awaits',
  'kill' | 'stop',
  string,
  string,
]
const [first, step] = numbers.map(Number) as [number, number]

/** Both ends of the pipe to the test: a byte out says that a point is reached, a byte in lets the process go on. */
const pipe = 3
const byte = Buffer.alloc(1)

// The first request loads parts of Node lazily; that is not what is being killed.
await fetch(`${origin}/warm`)
let reached = 0
await atEveryPoint(where, () => {
  reached++
  if (reached < first || (reached - first) % step !== 0) return
  if (how === 'kill') process.kill(process.pid, 'SIGKILL')
  // Nothing of this process's code runs on until the answer: no other byte reaches the disk or the network.
  writeSync(pipe, byte)
  readSync(pipe, byte)
})
await scenarios[scenario](folder, origin)
process.stdout.write(`completed ${reached}`)
process.exit(0)
