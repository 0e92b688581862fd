// The address of a caller as limits count it.
import { isIP, isIPv6 } from 'node:net'

/** IPv4 whole, IPv6 by its /64: what a home or a host has to itself. */
export function limitAddress(given: string): string {
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

/** The eight groups of an IPv6 address; its last two may be written as IPv4. */
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
