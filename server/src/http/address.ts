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
 * The client's address: that of the connection, or if that is a trusted proxy, the one that `X-Forwarded-For` names before
 * it, and so on. What is no address names nobody: the proxy that wrote it counts.
 */
function addressBehind(service: Service, { socket, headers }: IncomingMessage): string {
  let address = socket.remoteAddress ?? ''
  if (service.config.trustedProxies.length === 0) return address
  const proxies = proxiesOf(service)
  const isTrusted = (given: string): boolean => {
    const host = given.split('%', 1)[0] as string
    return isIP(host) !== 0 && proxies.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
  }
  // Several headers count as one list (RFC 9110, 5.3).
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  while (isTrusted(address)) {
    const before = withoutPort(hops.pop()?.trim() ?? '')
    if (before === '' && hops.length > 0) continue
    if (!isIP(before)) break
    address = before
  }
  return address
}

/** As limits count it. */
export const addressOf = (service: Service, request: IncomingMessage): string =>
  limitAddress(addressBehind(service, request))

/** IPv4 whole, IPv6 by its /64, which one home or host has to itself. */
export function limitAddress(given: string): string {
  // To find that it is no IPv6 takes longer than all else of a short request's address.
  if (isIPv4(given)) return given
  if (!isIPv6(given)) return given
  const groups = groupsOf((given.split('%', 1)[0] as string).toLowerCase())
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
