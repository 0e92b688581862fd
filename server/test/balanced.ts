// The proxies of hosting/, each started as its file says, before two nodes: only addresses and certificates are the test's.
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, startProgram } from './launch.ts'

const shipped = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../hosting/proxies/${name}`, import.meta.url)), 'utf8')

export interface Place {
  /** Where it listens, with TLS. */
  port: number
  nodes: readonly [number, number]
  folder: string
  /** The certificate and its key, in one file. */
  pem: string
  /** How long a response may take to begin, in place of what the file says; an upload has what the file says. */
  patience?: string
}

export interface Proxy {
  program: Program
  /** Its lines about requests, and about errors. */
  log(): Promise<string>
  /** What its operator does before a node is stopped, where it does not find out by itself. */
  takeOut(node: 0 | 1): Promise<void>
  putBack(node: 0 | 1): Promise<void>
}

/** One that finds out by itself which nodes serve, and logs to its standard output. */
const alone = (program: Program): Proxy => ({
  program,
  log: async () => program.output(),
  takeOut: async () => {},
  putBack: async () => {},
})

/** The text with each of these in place of what the file says, which it must say. */
function fill(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((filled, [from, to]) => {
    if (!filled.includes(from)) throw new Error(`the file does not say ${from}`)
    return filled.replaceAll(from, to)
  }, text)
}

async function haproxy({ port, nodes, folder, pem, patience = '60s' }: Place): Promise<Proxy> {
  const file = join(folder, 'haproxy.cfg')
  const isRoot = process.getuid?.() === 0
  const text = fill(await shipped('haproxy.cfg'), {
    // Only root may change its user.
    ...(!isRoot && { '  user haproxy\n  group haproxy\n': '' }),
    'timeout server 60s': `timeout server ${patience}`,
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/haproxy/kith.pem': pem,
    '127.0.0.1:8081': `127.0.0.1:${nodes[0]}`,
    '127.0.0.1:8082': `127.0.0.1:${nodes[1]}`,
  })
  await writeFile(file, text)
  return alone(startProgram(['haproxy', '-db', '-f', file], { env: process.env }))
}

async function nginx({ port, nodes, folder, pem, patience = '60s' }: Place): Promise<Proxy> {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = join(folder, 'nginx.conf')
  const site = join(folder, 'kith.conf')
  const log = join(folder, 'kith.log')
  const text = fill(await shipped('nginx.conf'), {
    'proxy_read_timeout 60s': `proxy_read_timeout ${patience}`,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/nginx/kith.pem': pem,
    '/var/log/nginx/kith.log': log,
    '127.0.0.1:8081': `127.0.0.1:${nodes[0]}`,
    '127.0.0.1:8082': `127.0.0.1:${nodes[1]}`,
  })
  const root = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(site, text)
  await writeFile(
    main,
    `${root} pid ${folder}/nginx.pid; error_log stderr warn; daemon off; worker_processes 1;
    events {} http { access_log off; ${places.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')} include ${site}; }`,
  )
  const program = startProgram(['nginx', '-e', 'stderr', '-c', main], { env: process.env })
  const reload = async (filled: string): Promise<void> => {
    await writeFile(site, filled)
    program.kill('SIGHUP')
  }
  return {
    program,
    log: async () => (await readFile(log, 'utf8')) + program.output(),
    takeOut: (node) => reload(text.replace(`${nodes[node]} max_fails`, `${nodes[node]} down max_fails`)),
    putBack: () => reload(text),
  }
}

async function caddy({ port, nodes, folder, pem, patience = '60s' }: Place): Promise<Proxy> {
  const file = join(folder, 'Caddyfile')
  // It gets a certificate by itself for a name that the world knows.
  const own = 'kith.example.org} {\n'
  const text = fill(await shipped('Caddyfile'), {
    '\n{\n': '\n{\n\tadmin off\n\tauto_https disable_redirects\n',
    'import nodes 60s': `import nodes ${patience}`,
    [own]: `${own}\ttls ${pem} ${pem}\n\tbind 127.0.0.1\n`,
  })
  await writeFile(file, text)
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    KITH_SITE: `localhost:${port}`,
    KITH_NODES: nodes.map((node) => `127.0.0.1:${node}`).join(' '),
  }
  return alone(startProgram(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], { env }))
}

/** By the name of the program. */
export const proxies = { haproxy, nginx, caddy } as const satisfies Record<string, (place: Place) => Promise<Proxy>>

/** A certificate for localhost and its key, of this day. */
export async function certificate(folder: string): Promise<string> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const command = [
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', cert, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
  ]
  const made = startProgram(command, { env: process.env })
  if ((await made.ended) !== 0) throw new Error(made.output())
  return cert
}

export interface Deaf {
  /** What came, without the checks of readiness. */
  heard: { method: string; headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

/** Says that it is ready, hears each request to its end, and breaks off without an answer. */
export async function deafNode(port: number): Promise<Deaf> {
  const heard: Deaf['heard'] = []
  const server = createServer((request, response) => {
    if (request.url === '/health/ready') return void response.end('{"status":"ready"}')
    heard.push({ method: request.method ?? '', headers: request.headers })
    request.resume().once('end', () => request.socket.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    heard,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface Frozen {
  /** The paths of the requests that wait. */
  waiting(): string[]
  /** Answers all of them. */
  thaw(): void
  close(): Promise<void>
}

/** Says that it is ready, hears each request to its end, and answers none of them until it thaws. */
export async function frozenNode(port: number): Promise<Frozen> {
  const waiting = new Map<ServerResponse, string>()
  const server = createServer((request, response) => {
    if (request.url === '/health/ready') return void response.end('{"status":"ready"}')
    request.resume().once('end', () => waiting.set(response, request.url ?? ''))
    response.once('close', () => waiting.delete(response))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    waiting: () => [...waiting.values()],
    thaw() {
      for (const response of waiting.keys()) response.end('{}')
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface Vanishing {
  wasAsked(): boolean
  /** From now on it is as a machine that is gone: nobody is connected, and nobody is refused. */
  vanish(): void
  stop(): Promise<unknown>
}

/** Answers every request with 200 until it vanishes. */
export async function vanishingNode(port: number): Promise<Vanishing> {
  const script = `require('node:http').createServer((request, response) => {
    response.setHeader('connection', 'close').end('{}')
    if (request.url !== '/health/ready') console.log('asked')
  }).listen({ port: ${port}, host: '127.0.0.1', backlog: 1 })`
  const program = startProgram([process.execPath, '-e', script], { env: process.env })
  const waiting = Array.from({ length: 8 }, () => new Socket().on('error', () => {}))
  return {
    wasAsked: () => program.output().includes('asked'),
    vanish() {
      program.kill('SIGSTOP')
      // The kernel answers no others once two of these wait to be accepted.
      for (const socket of waiting) socket.connect(port, '127.0.0.1')
    },
    stop() {
      for (const socket of waiting) socket.destroy()
      return program.stop('SIGKILL')
    },
  }
}
