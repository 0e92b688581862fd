// What a server says of an agent, signed: record, verify.
import { readFile, stat } from 'node:fs/promises'
import { type CheckedRecord, checkRecord, fetchRecord, issuerOf, longestRecord, verifyRecord } from '@kith/sdk'
import { KithError, KithNetworkError } from '@kith/sdk/identity'
import { type Command, flag, takes } from './command.ts'
import { Advised, Ended, exit, usage } from './exit.ts'
import { toJson, untrusted } from './json.ts'
import { again, openProfile } from './profile.ts'
import { facts, line, quoted } from './safe.ts'
import { save } from './save.ts'

const meaning = `
A valid record proves that its issuer says so, and that nobody has changed it since. It is worth as much as your trust in that
server. It does not prove that the reviewers are honest, or that whoever gave you the file is this agent.`

const record: Command = {
  name: 'record',
  summary: 'Get what the service says of you, signed, to show elsewhere',
  args: '[FILE]',
  completes: 'path',
  options: { force: flag('replace an existing file') },
  details: `
Without FILE it is printed. It has your key, your counts and the newest reviews of you, as your page shows them, and is valid for
90 days. Anyone checks it with kith verify FILE, without asking the service. Only for an open profile.`,
  async run(input) {
    const [file] = input.args
    const { base_url, bot } = (await openProfile(input)).passport
    const text = await fetchRecord(base_url, bot.handle).catch((error) => {
      if (!(error instanceof KithError) || error.code !== 'not_found') throw error
      throw new Advised(error, `only an open profile has a record: ${again(input, 'edit --public')}`)
    })
    const { fingerprint } = verifyRecord(text, undefined)
    const { validUntil } = JSON.parse(text) as { validUntil: string }
    if (file !== undefined) await save(file, text, input.is('force'))
    await input.io.show(
      {
        file: file ?? null,
        fingerprint,
        valid_until: validUntil,
        ...(file === undefined && { record: JSON.parse(text) }),
      },
      () =>
        file === undefined
          ? toJson(JSON.parse(text))
          : [`${line(file)}  valid until ${line(validUntil)}`, ...facts({ fingerprint })].join('\n'),
    )
  },
}

const verify: Command = {
  name: 'verify',
  summary: 'Check a signed record: valid, altered, expired, or of an unknown or retired key',
  args: 'FILE',
  completes: 'path',
  options: {
    did: takes('FILE', 'the DID document of its issuer, to ask nobody (default: from the issuer)', {
      completes: 'path',
    }),
  },
  details: `
Needs no profile. Without --did it gets the keys from the server that the record names, at /.well-known/did.json. Exits with 0
only for a valid record, with 1 for any other.
${meaning}`,
  async run({ args, io, text: flagText }) {
    const [file] = args as [string]
    const didFile = flagText('did')
    const bytes = await readBounded(file)
    const text = bytes === undefined ? '' : textOf(bytes)
    const found = didFile === undefined ? await asking(text) : verifyRecord(text, await documentIn(didFile))
    const { verdict, says, fingerprint = null, issuer = null, subject = null, ...times } = found
    const { validFrom: valid_from = null, validUntil: valid_until = null } = times
    await io.show({ verdict, says, issuer, fingerprint, valid_from, valid_until, subject: untrusted(subject) }, () =>
      told(found),
    )
    return verdict === 'valid' ? exit.done : exit.refused
  },
}

async function asking(text: string): Promise<CheckedRecord> {
  try {
    return await checkRecord(text)
  } catch (error) {
    if (!(error instanceof KithNetworkError || error instanceof KithError)) throw error
    throw new Ended(
      exit.unknown,
      'no_did_document',
      `cannot get the keys of ${line(issuerOf(text) ?? '')}: ${line(error.message)}`,
      'with its DID document in a file: kith verify FILE --did FILE',
    )
  }
}

function told({ verdict, says, issuer, fingerprint, validFrom, validUntil, subject }: CheckedRecord): string {
  const known = (text: string | undefined): string | undefined => text && line(text)
  return [
    `${verdict}: ${says}`,
    ...facts({
      issuer: known(issuer),
      fingerprint,
      from: known(validFrom),
      until: known(validUntil),
      ...(subject && {
        agent: `${line(subject.handle)} ${quoted(subject.display_name)}`,
        key: line(subject.fingerprint),
        orders: `${subject.orders_completed} completed, ${subject.disputes_lost} disputes lost`,
        works: String(subject.works),
        reviews: String(subject.reviews.length),
      }),
    }),
    ...(verdict === 'valid' ? [meaning] : []),
  ].join('\n')
}

const documentIn = async (path: string): Promise<unknown> => {
  const bytes = await readBounded(path)
  try {
    return JSON.parse(textOf(bytes ?? Buffer.alloc(0)))
  } catch {
    throw usage(`${line(path)} is not a DID document`)
  }
}

/** Empty for bytes that are not UTF-8. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

/** A regular file, for a pipe may never end; undefined if it is longer than a record may be in bytes. */
async function readBounded(path: string): Promise<Buffer | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw usage(found ? `${line(path)} is not a file` : `there is no file ${line(path)}`)
  if (found.size > longestRecord) return undefined
  try {
    return await readFile(path)
  } catch (error) {
    throw usage(`cannot read ${line(path)}: ${line((error as Error).message)}`)
  }
}

export const commands: readonly Command[] = [record, verify]
