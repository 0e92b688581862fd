// The URL of a bucket, with all that a client of it has to know. docs/contract/settings.md.
import { isUrl } from './urls.ts'

export interface S3 {
  bucket: string
  /** Empty, or with a slash at its end. */
  prefix: string
  /** Undefined for the one of AWS. */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
}

/** `s3://[KEY:SECRET@]bucket[/prefix][?endpoint=…&region=…&path_style=on|off]`; keys in it go before those of AWS_…. */
export function parseS3(
  value: string,
  keys: { accessKeyId: string | undefined; secretAccessKey: string | undefined },
  wrong: (expected: string) => never,
): S3 {
  if (!isUrl(value, ['s3:'])) return wrong('s3://KEY:SECRET@bucket/prefix?endpoint=…, its parts percent-encoded')
  const { hostname: bucket, port, username, password, pathname, searchParams, hash } = new URL(value)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || port !== '') {
    return wrong('the name of a bucket after s3://, and credentials in it percent-encoded')
  }
  const folders = decodeURIComponent(pathname)
    .split('/')
    .filter((name) => name !== '')
  const prefix = folders.map((name) => `${name}/`).join('')
  if (!/^[\w!.*'()/-]{0,500}$/.test(prefix) || folders.some((name) => /^\.+$/.test(name))) {
    return wrong("a prefix of letters, digits and /!-_.*'()")
  }

  const parameters = ['endpoint', 'region', 'path_style']
  for (const name of searchParams.keys()) {
    if (!parameters.includes(name) || searchParams.getAll(name).length > 1) {
      return wrong(`no other parameters than ${parameters.join(', ')}, each once`)
    }
  }
  if (hash !== '') return wrong('no #')
  const endpoint = searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    return wrong('as endpoint= a URL that begins with http:// or https://, without a user or a query')
  }
  const region = searchParams.get('region') ?? (endpoint === undefined ? '' : 'us-east-1')
  if (!/^[A-Za-z0-9-]{1,60}$/.test(region)) return wrong('the region as region=, where endpoint= is not set')
  const pathStyle = searchParams.get('path_style') ?? (endpoint === undefined ? 'off' : 'on')
  if (pathStyle !== 'on' && pathStyle !== 'off') return wrong('on or off as path_style=')

  const ofUrl = { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) }
  const { accessKeyId, secretAccessKey } = username === '' && password === '' ? keys : ofUrl
  if (!accessKeyId || !secretAccessKey) {
    return wrong('both keys in it, s3://KEY:SECRET@bucket, or in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  return { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, forcePathStyle: pathStyle === 'on' }
}

function isEndpoint(value: string): boolean {
  if (!isUrl(value, ['http:', 'https:'])) return false
  const { username, password, search, hash } = new URL(value)
  return username + password + search + hash === ''
}
