// What every answer carries, whatever it is, unless it says otherwise. docs/contract/representation.md#headers.

/** By name in lower case; the address of the service is not known while it starts. */
export const answerHeaders = (publicUrl = ''): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // RFC 6797. Of this host alone: what else its domain serves is not ours to say.
  ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
})
