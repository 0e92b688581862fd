// The least that answers what a service answers: node:http with the bytes that it was given for a path, from memory. With a number,
// it first computes for so many microseconds.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const computing = Number(process.argv[2] ?? 0) / 1000
const answers = new Map<string, Buffer>()
const server = http.createServer((request, response) => {
  const path = request.url as string
  const known = answers.get(path)
  if (request.method === 'GET') {
    const until = performance.now() + computing
    while (performance.now() < until);
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json', 'content-length': known?.length ?? 0 })
    return void response.end(known)
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    answers.set(path, Buffer.concat(chunks))
    response.writeHead(201, { 'content-length': 0 }).end()
  })
})
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`))
