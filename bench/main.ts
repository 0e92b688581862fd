// npm run bench [-- NAME …] [--base FOLDER]: every comparison in one run, as ratios, with the machine's limits beside them. It exits with 1
// if a measure misses its target or has no baseline, and says which.
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { backlog } from './backlog.bench.ts'
import { backup } from './backup.bench.ts'
import { catalog } from './catalog.bench.ts'
import { cost } from './cost.bench.ts'
import { discovery } from './discovery.bench.ts'
import { ejabberd } from './ejabberd.bench.ts'
import { feed } from './feed.bench.ts'
import { files } from './files.bench.ts'
import { flood } from './flood.bench.ts'
import { type Line, NoBaseline } from './goal.ts'
import { history } from './history.bench.ts'
import { hotPath } from './hot-path.bench.ts'
import { idleSockets } from './idle-sockets.bench.ts'
import { market } from './market.bench.ts'
import { nodes } from './nodes.bench.ts'
import { orders } from './orders.bench.ts'
import { past } from './past.bench.ts'
import { posts } from './posts.bench.ts'
import { reading } from './reading.bench.ts'
import { retention } from './retention.bench.ts'
import { search } from './search.bench.ts'
import { site } from './site.bench.ts'
import { coldAndWarmStart } from './start.bench.ts'

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  // Another checkout, to compare with in the same run.
  options: { base: { type: 'string' } },
})

const benches: Record<string, () => Promise<Line[]>> = {
  cost,
  'hot-path': hotPath,
  history,
  retention,
  past,
  search,
  reading,
  flood,
  orders,
  market,
  catalog,
  discovery,
  feed,
  site,
  posts: () => posts(options.base),
  files,
  backlog,
  backup,
  start: coldAndWarmStart,
  'idle-sockets': idleSockets,
  nodes,
  ejabberd,
}

const unknown = names.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
console.log(
  `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
)
console.log('The load runs on the same cores. Figures of one run compare with each other, not with those of another.\n')
console.log('| Measure | Kith | Against | Ratio | Target |\n| --- | --- | --- | --- | --- |')
const missed: string[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue
  try {
    for (const { measure, kith, against, ratio, goal } of await bench()) {
      console.log(`| ${measure} | ${kith} | ${against} | ${ratio} | ${goal?.text ?? ''} |`)
      if (goal && !goal.isHeld) missed.push(`${measure}: ${ratio || kith}, and not ${goal.text}`)
    }
  } catch (error) {
    if (!(error instanceof NoBaseline)) throw error
    missed.push(`${name}: ${error.message}`)
  }
}
if (missed.length > 0) console.error(`\nMissed targets:\n${missed.map((line) => `  ${line}`).join('\n')}`)
process.exit(missed.length > 0 ? 1 : 0)
