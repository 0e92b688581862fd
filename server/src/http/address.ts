// The address of a caller, as limits count it.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { perService, type Service } from '../service.ts'

/** TRUSTED_PROXIES; a list also matches IPv4 written as IPv6. */
const proxiesOf = perService(({ config }) => {
  const proxies = new BlockList()
  for (const cidr of config.trustedProxies) {
    const [address = '', bits] = cidr.split('/')
    const [family, width] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
    proxies.addSubnet(address, Number(bits ?? width), family)
  }
  return proxies
})

/**
 * The client's address, where there is no `request.ip`: that of the connection, or if that is a trusted proxy, the one
 * that `X-Forwarded-For` names before it. The same as Fastify's.
 */
export function addressBehind(service: Service, { socket, headers }: IncomingMessage): string {
  const proxies = proxiesOf(service)
  const isTrusted = (given: string): boolean => {
    const address = given.split('%', 1)[0] as string
    return isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const hops = forwarded.map((each) => each.trim()).filter((each) => each !== '')
  let address = socket.remoteAddress ?? ''
  while (isTrusted(address)) {
    const before = hops.pop()
    if (before === undefined) break
    address = before
  }
  return address
}

/** IPv4 whole, IPv6 by its /64, which one home or host has to itself. */
export function limitAddress(given: string): string {
  // To find that it is no IPv6 takes longer than all else of a short request's address.
  if (isIPv4(given)) return given
  const address = withoutPort(given)
  if (!isIPv6(address)) return address
  const groups = groupsOf((address.split('%', 1)[0] as string).toLowerCase())
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high, low] = groups.slice(6) as [number, number]
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** Some proxies add the caller's port, which changes with each connection. */
function withoutPort(address: string): string {
  if (isIP(address)) return address
  const host = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1]
  return host !== undefined && isIP(host) ? host : address
}

/** The eight groups of an IPv6 address; the last two may be written as IPv4. */
function groupsOf(address: string): number[] {
  const numbers = (text: string): number[] =>
    text === ''
      ? []
      : text.split(':').flatMap((group) => (group.includes('.') ? pairs(group) : [Number.parseInt(group, 16)]))
  const [head = '', tail] = address.split('::')
  const left = numbers(head)
  if (tail === undefined) return left
  const right = numbers(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

const pairs = (ipv4: string): number[] => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
