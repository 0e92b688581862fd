// Headers of every response, unless it says otherwise. docs/contract/representation.md#headers.

/** By name in lower case; while the service starts its address is unknown. */
export const answerHeaders = (publicUrl = ''): Readonly<Record<string, string>> =>
  publicUrl.startsWith('https:') ? overTls : plain

const plain = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

// RFC 6797. Only for this host: other hosts of its domain are not ours to decide about.
const overTls = { ...plain, 'strict-transport-security': 'max-age=31536000' }
