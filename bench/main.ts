// npm run bench [-- NAME …]: every comparison in one run, as ratios, with the machine's limits beside them.
import { cpus, totalmem } from 'node:os'
import { backlog } from './backlog.bench.ts'
import { feed } from './feed.bench.ts'
import { files } from './files.bench.ts'
import { history } from './history.bench.ts'
import { hotPath } from './hot-path.bench.ts'
import { idleSockets } from './idle-sockets.bench.ts'
import { nodes } from './nodes.bench.ts'
import { orders } from './orders.bench.ts'
import { search } from './search.bench.ts'
import { coldAndWarmStart } from './start.bench.ts'

export interface Line {
  measure: string
  kith: string
  against: string
  ratio: string
  reach: string
}

const benches: Record<string, () => Promise<Line[]>> = {
  'hot-path': hotPath,
  history,
  search,
  orders,
  feed,
  files,
  backlog,
  start: coldAndWarmStart,
  'idle-sockets': idleSockets,
  nodes,
}

const names = process.argv.slice(2)
console.log(
  `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
)
console.log('The load runs on the same cores. Figures of one run compare with each other, not with those of another.\n')
console.log('| Measure | Kith | Against | Ratio | Reach |\n| --- | --- | --- | --- | --- |')
for (const [name, bench] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue
  for (const { measure, kith, against, ratio, reach } of await bench()) {
    console.log(`| ${measure} | ${kith} | ${against} | ${ratio} | ${reach} |`)
  }
}
process.exit(0)
