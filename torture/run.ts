// A run: worlds one after the other; in each, load under chaos, then quiet, then the checker, twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chaos, inTurn, openChaos } from './chaos.ts'
import { type Audited, auditedOf, checkAudit } from './check-audit.ts'
import { checkNotices, type Notices } from './check-notices.ts'
import { check, settle } from './checker.ts'
import { openClient } from './client.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { openFailovers, type Strike } from './failover.ts'
import type { Kind } from './ledger.ts'
import { openMails } from './mails.ts'
import { type Nodes, startNodes } from './nodes.ts'
import { peoplesDomain } from './people.ts'
import { randomOf } from './random.ts'
import { openShop } from './ready.ts'
import { ensure, Violation } from './violation.ts'
import { load } from './workload.ts'
import { makeWorld, register, type World } from './world.ts'

export interface Options {
  seed: number
  /** Of load and checks together; what has begun is ended, and the start comes on top. */
  seconds: number
  /** Processes of each node that serve; 1: the node itself. */
  workers: number
  /** A PostgreSQL server instead of the embedded one. */
  databaseUrl: string | undefined
  /** Three nodes on a server of the run's own, and more faults than kills. */
  nemesis: boolean
  /** A checkout of another version, which each node runs until its first restart. */
  from: string | undefined
  /** Strikes against a cluster that is started for the run: instead of kills and cuts, or after the faults of the nemesis. */
  failovers: readonly Strike[]
  /** Ends the run early, and leaves nothing behind. */
  signal: AbortSignal
  log: (line: string) => void
}

const agentsOfWorld = 8
const peopleOfWorld = 3
const phasesOfWorld = 2
/** Load before each check, in seconds; with more in one world its agents would meet the limit of `task.available` in an hour. */
const longestPhase = { kills: 5, nemesis: 8 }
/** The same where servers of a cluster take over from each other: it ends after some strikes. */
const longestFailoverPhase = 600
/** Strikes between two checks: alone, and after other faults. */
const strikesOfPhase = { alone: 3, nemesis: 1 }
/** For a code to arrive, in milliseconds: a strike may follow a fault that has already held it up. */
const longestPost = { usual: 45_000, clusterNemesis: 120_000 }
/** What a node that lost its client may still be at when the load ends, in milliseconds. */
const aftermath = 300

/** Runs until the time is over; throws a Violation where a rule does not hold. */
export async function run(options: Options): Promise<void> {
  if (options.failovers.length === 0) return torture(options)
  const cluster = await startCluster(options)
  try {
    await torture(options.nemesis ? options : { ...options, databaseUrl: cluster.url }, cluster)
  } finally {
    await cluster.stop()
  }
}

async function torture(options: Options, cluster?: Cluster): Promise<void> {
  const { seed, seconds, signal, log } = options
  const broken = new AbortController()
  let fault: unknown
  const fail = (error: unknown): void => {
    fault ??= error
    broken.abort()
  }
  const stopped = AbortSignal.any([signal, broken.signal])
  const goOn = (): void => {
    if (fault !== undefined) throw fault
    signal.throwIfAborted()
  }

  const isOutageAlone = cluster !== undefined && !options.nemesis
  const nodes = await startNodes({ ...options, cluster, fail })
  const mails = openMails(nodes.mailFolder)
  const client = openClient((path, text) => {
    // Customers read their own address on their own pages alone.
    if (path.startsWith('/human/') || !text.includes(peoplesDomain)) return
    fail(new Violation('somebody was told the email of a person', [path, text]))
  })
  const codeWithin = longestPost[cluster && options.nemesis ? 'clusterNemesis' : 'usual']
  const entrance = { client, urls: nodes.urls, origin: nodes.origin, mails, codeWithin, left: [] }
  let world: World | undefined
  try {
    const chaos = openFaults(options, nodes, cluster)
    const url = nodes.urls[0] as string
    const [support, moderator] = [await register(client, url, 'decider'), await register(client, url, 'judge')]
    await Promise.all([
      nodes.operator(['staff', 'assign', support.handle, 'support']),
      nodes.operator(['staff', 'assign', moderator.handle, 'moderator']),
    ])
    const audited: Audited[] = []
    /** Of each world. */
    const notices = new Map<number, Notices[]>()
    const done = new Map<string, number>()
    const until = performance.now() + seconds * 1000
    for (let number = 1; number === 1 || performance.now() < until; number++) {
      world = await makeWorld({
        seed,
        number,
        agents: agentsOfWorld,
        people: peopleOfWorld,
        support,
        moderator,
        entrance,
        fail,
      })
      await openShop(world, nodes)
      for (let phase = 1; phase <= phasesOfWorld && (phase === 1 || performance.now() < until); phase++) {
        goOn()
        const longest = longestPhase[options.nemesis ? 'nemesis' : 'kills']
        const time = cluster ? longestFailoverPhase * 1000 : Math.min(longest * 1000, (seconds * 1000) / phasesOfWorld)
        const { ledger } = world
        const enough = new AbortController()
        const over = AbortSignal.any([stopped, enough.signal, AbortSignal.timeout(time)])
        for (const receiver of world.receivers.values()) receiver.careful(false)
        // Where a server is lost, every request still gets an answer: nothing else may be in its way.
        if (!isOutageAlone) nodes.resumeCuts()
        log(`world ${number}, phase ${phase}: under load`)
        const kills = chaos.run(() => ledger.acknowledged, over).then(() => enough.abort(), fail)
        await Promise.all([load(world, phase, over, fail), kills])
        nodes.pauseCuts()
        goOn()
        await nodes.replaceOlder()
        await nodes.ready()
        // What a node ahead of the others wrote is in their past too from then on.
        await nodes.nemesis?.clocks?.agree()
        await sleep(aftermath)
        await settle(world, phase, stopped)
        const { counts, notices: last } = await check(world, phase, stopped)
        notices.set(number, last)
        goOn()
        log(`world ${number}, phase ${phase}: ${listed(counts)}`)
      }
      for (const { kind, action, state } of world.ledger.writes) {
        if (state === 'acknowledged') done.set(nameOf(kind, action), (done.get(nameOf(kind, action)) ?? 0) + 1)
      }
      audited.push(...auditedOf(world.ledger.writes))
      await world.close()
      world = undefined
    }
    log(`acknowledged: ${listed(Object.fromEntries([...done].sort()))}`)
    log(`faults: ${listed(chaos.kills)}; cut: ${listed(nodes.cuts())}`)
    if (chaos.missing?.length) log(`not on this machine: ${chaos.missing.join(', ')}`)
    log(`requests: ${listed(client.answers)}`)
    await checkAudit(nodes, audited)
    log(`emails about orders: ${await checkNotices(mails, [...notices.values()].flat(), stopped)}`)
    await nodes.verify()
    const { left } = entrance
    log(`people who left: ${left.length}, and came again: ${left.filter(({ isBack }) => isBack).length}`)
    if (isOutageAlone)
      ensure(client.answers['no answer'] === 0, 'requests had no answer while servers were lost', client.answers)
    const disorder = await nodes.stop()
    ensure(disorder === undefined, 'the nodes did not end in order', disorder)
  } catch (error) {
    throw fault ?? error
  } finally {
    nodes.pauseCuts()
    await world?.close()
    client.close()
    await nodes.destroy()
  }
}

/** What befalls the nodes and their database under load. */
function openFaults({ seed, nemesis, failovers, log }: Options, nodes: Nodes, cluster: Cluster | undefined): Chaos {
  const random = randomOf(seed, 'chaos')
  if (!cluster) return openChaos(nodes, random)
  const strikes = openFailovers({
    nodes,
    cluster,
    random,
    kinds: failovers,
    strikesOfPhase: strikesOfPhase[nemesis ? 'nemesis' : 'alone'],
    log,
  })
  return nemesis ? inTurn(openChaos(nodes, random), longestPhase.nemesis * 1000, strikes) : strikes
}

/** Actions of orders by their names; those of the market with what they are of. */
const nameOf = (kind: Kind, action: string | undefined): string =>
  kind === 'action' || kind === 'update' || kind === 'decision' || kind === 'verdict'
    ? (action ?? kind)
    : kind.replace(/ move$/, ` ${action}`)

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
