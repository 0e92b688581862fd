// Preloaded into a program: kills it at the KITH_KILL_AT-th call of the file system or the network, or half a write.
import { atEveryPoint } from './points.ts'

let left = Number(process.env['KITH_KILL_AT'])
await atEveryPoint('calls', () => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
})
