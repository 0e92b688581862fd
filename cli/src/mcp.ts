// The tools of an agent's host: mcp, mcp config; and what its owner decides about them: limits, commit.
import { readFileSync, realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { credits } from '@kith/sdk/identity'
import { type Command, flag, type Input, takes } from './command.ts'
import { agreed } from './confirm.ts'
import { Ended, exit, usage } from './exit.ts'
import { untrusted } from './json.ts'
import { hosts, snippetFor } from './mcp/hosts.ts'
import { changeLimits, limitsText, readLimits } from './mcp/limits.ts'
import { type Toolset, toolsets } from './mcp/toolsets.ts'
import { folderOf, identity, openProfile } from './profile.ts'
import { line } from './safe.ts'
import { creditsFlag, needOne, oneOf } from './words.ts'

/** What decides which tools there are, here and in a host's settings. */
const options = {
  toolsets: takes('A,B', `only these: ${toolsets.join(', ')} (default: all)`),
  'read-only': flag('nothing can be changed, and events stay unacknowledged'),
  files: takes('DIR', 'files below this folder may be uploaded (default: none)', { completes: 'path' }),
  from: takes('WHO', 'friends withholds the words of strangers until asked for by ID (default: all)', {
    completes: ['all', 'friends'],
  }),
}

async function settingsOf(input: Input) {
  const named = input
    .text('toolsets')
    ?.split(',')
    .map((each) => needOne(each.trim(), toolsets, '--toolsets'))
  const files = input.text('files')
  if (files !== undefined && !(await stat(files).catch(() => undefined))?.isDirectory())
    throw usage(`--files: there is no folder ${line(files)}`)
  // A profile that cannot be one is refused at once.
  folderOf(input.profile)
  return {
    profile: input.profile,
    toolsets: toolsets.filter((each): each is Toolset => named?.includes(each) ?? true),
    readOnly: input.is('read-only'),
    files: files === undefined ? undefined : resolve(files),
    from: oneOf(input.text('from'), ['all', 'friends'] as const, '--from') ?? ('all' as const),
  }
}

const mcp: Command = {
  name: 'mcp',
  summary: 'Serve this profile as tools (MCP) to the host that starts it',
  options,
  details: `
A host of agents starts it and speaks with it over standard input and output: kith mcp config --for HOST prints its settings.
It ends with its input. Several may run on one profile. What its tools spend stays within kith limits.`,
  async run(input) {
    const settings = await settingsOf(input)
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    // Only this command needs the protocol.
    const { serve } = await import('./mcp/serve.ts')
    return serve(settings, version, (text) => input.io.note(text))
  },
}

const config: Command = {
  name: 'mcp config',
  summary: 'Print the settings with which a host starts kith mcp',
  options: {
    for: takes('HOST', 'the host, by one of the names below', { completes: Object.keys(hosts) }),
    ...options,
  },
  details: `
It writes nothing: put the snippet into the file that it names, beside what is there. The paths are absolute, because hosts
often start programs without your PATH. Hosts: ${Object.keys(hosts).slice(0, 7).join(', ')},
${Object.keys(hosts).slice(7).join(', ')}.`,
  async run(input) {
    const name = needOne(input.text('for'), Object.keys(hosts), '--for')
    const { profile, readOnly, files, from } = await settingsOf(input)
    const sets = input.text('toolsets')
    const args = [
      realpathSync(process.argv[1]!),
      ...['mcp', '--profile', profile],
      ...(sets === undefined ? [] : ['--toolsets', sets]),
      ...(readOnly ? ['--read-only'] : []),
      ...(files === undefined ? [] : ['--files', files]),
      ...(from === 'all' ? [] : ['--from', from]),
    ]
    const place = process.env['KITH_HOME']
    const start = { command: process.execPath, args, ...(place && { env: { KITH_HOME: resolve(place) } }) }
    const { file, snippet } = snippetFor(name, start)
    await input.io.show({ host: name, file, snippet }, () => `${snippet}\n\nPut it into ${file}.`)
  },
}

const limits: Command = {
  name: 'limits',
  summary: 'Show or set what tools may spend',
  options: {
    order: takes('CREDITS', 'most for one order'),
    day: takes('CREDITS', 'most in any 24 hours'),
    confirm: takes('WHEN', 'always: you confirm each commit; never: none within the limits', {
      completes: ['always', 'never'],
    }),
  },
  details: `
The limits count what kith mcp commits: 100 credits an order and 500 in 24 hours, unless you say otherwise. What is under way
counts, and a cancelled order does not give its share back. Commands that you run yourself are not limited.`,
  async run(input) {
    const { folder } = await openProfile(input)
    const [order, day] = [creditsFlag(input, 'order', 0), creditsFlag(input, 'day', 0)]
    const confirm = oneOf(input.text('confirm'), ['always', 'never'] as const, '--confirm')
    const changes = {
      ...(order !== undefined && { order_minor: order }),
      ...(day !== undefined && { day_minor: day }),
      ...(confirm && { confirm }),
    }
    const found = Object.keys(changes).length > 0 ? await changeLimits(folder, changes) : await readLimits(folder)
    const { spentMinor } = await import('./mcp/spending.ts')
    const spent_minor = await spentMinor(folder)
    await input.io.show({ limits: { ...found, spent_minor } }, () =>
      [limitsText(found), `spent      ${credits(spent_minor)} credits in the last 24 hours`].join('\n'),
    )
  },
}

const commit: Command = {
  name: 'commit',
  summary: 'Confirm at a terminal what a tool prepared',
  args: 'INTENT',
  async run(input) {
    if (!input.io.interactive) throw usage('the owner confirms this at a terminal')
    const client = await identity(input)
    const [{ readIntent }, { commitIntent }, { Refusal }] = await Promise.all([
      import('./mcp/spending.ts'),
      import('./mcp/commit.ts'),
      import('./mcp/refusal.ts'),
    ])
    try {
      const { id, says, total_minor } = await readIntent(client.folder, input.args[0]!)
      input.io.note(line(says))
      await agreed(input.io, `Commit this for ${credits(total_minor)} credits?`)
      const { order } = await commitIntent(client, { intent_id: id, total_minor }, input, 'owner')
      await input.io.show({ order: untrusted(order) }, () => `Done: order ${line(order.id)} is ${line(order.state)}.`)
    } catch (error) {
      if (error instanceof Refusal) throw new Ended(exit.refused, error.code, error.message, error.next)
      throw error
    }
  },
}

export const commands: readonly Command[] = [mcp, config, limits, commit]
