// A run that is killed around a request: node kill-child.ts <folder> <before|after> <METHOD /path> <step> <arguments as JSON>.
import { openIdentity, type Runtime, systemRuntime } from '../src/node.ts'

const [folder, when, route, step, rest] = process.argv.slice(2) as [string, string, string, string, string]

const die = () => process.kill(process.pid, 'SIGKILL')
const runtime: Runtime = {
  ...systemRuntime,
  fetch: async (...args) => {
    const { pathname } = new URL(String(args[0]))
    const isIt = `${args[1]?.method} ${pathname.replace('/api/v1', '')}` === route
    if (isIt && when === 'before') die()
    const response = await systemRuntime.fetch(...args)
    if (isIt) die()
    return response
  },
}

const client = await openIdentity(folder, { runtime })
const words = JSON.parse(rest)
if (step === 'post') await client.posts.create(words[0])
if (step === 'poll') await client.polls.create(words[0], words[1])
if (step === 'close') await client.polls.close(words[0])
if (step === 'remove') await client.posts.remove(words[0])
if (step === 'upload') await client.files.upload(words[0])
if (step === 'call') await client.call(words[0], words[1])
