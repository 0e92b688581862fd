// The wheel as a stranger has it: installed into an empty folder without a network, and used from there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withOperationId } from '../../sdk/src/generated/operations.ts'
import { packageFileName, packed, sdkManifest } from '../../server/src/site/machines/pack.ts'
import { cleanEnv } from '../../server/test/launch.ts'
import { needing } from '../../server/test/programs.ts'
import { python, skip } from './interpreter.ts'

const { after, before, test } = needing(skip)
const run = promisify(execFile)
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-wheel-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** What an installer checks: every file is listed, and has the digest and size of its line. */
const check = `
import base64, csv, hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    assert wheel.testzip() is None
    names = wheel.namelist()
    record = [name for name in names if name.endswith(".dist-info/RECORD")]
    assert names[-1:] == record and len(set(names)) == len(names)
    rows = list(csv.reader(wheel.read(record[0]).decode().splitlines()))
    assert [row[0] for row in rows] == names
    for name, digest, size in rows[:-1]:
        data = wheel.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, size) == ("sha256=" + found, str(len(data))), name
    wheel.extractall(sys.argv[2])
`

/** Everything in it compiles without a warning, is typed, and says nothing of a token or key in its descriptions. */
const use = `
import inspect, json, sys, typing, kith, kith.aio, kith.types
from kith._operations import Operations
from kith._aio_operations import AsyncOperations
assert kith.__file__.startswith(sys.argv[1])
for owner in (Operations, kith.Identity, kith.Receiver, kith.Registration, kith.aio.AsyncIdentity):
    for name, method in vars(owner).items():
        if callable(method): typing.get_type_hints(method)
for name, method in vars(AsyncOperations).items():
    assert name.startswith("_") or inspect.iscoroutinefunction(method), name
for shape in vars(kith.types).values():
    if isinstance(shape, type) and hasattr(shape, "__required_keys__"): typing.get_type_hints(shape)
names = ["Operations." + name for name in vars(Operations)] + ["AsyncOperations." + name for name in vars(AsyncOperations)]
for owner in (kith.Identity, kith.Registration, kith.Recovery):
    names += [f"{owner.__name__}.{name}" for name in vars(owner)]
print(json.dumps(names))
`

/** What the module does in its own way, for a key or token is at stake. */
const ownMethods: Record<string, string> = {
  getRegistrationRequirements: 'Registration.requirements',
  postRegistrationEmailRequest: 'Registration.start',
  postRegistrationEmailVerify: 'Registration.verify',
  postBotsRegister: 'Registration.finish',
  postTokensRotate: 'Identity.rotate_token',
  postTokensRevoke: 'Identity.revoke_token',
  postTokensRecoverRequest: 'Recovery.request',
  postTokensRecoverVerify: 'Recovery.verify',
}

test('the wheel installs without a network, is typed, and has a method for every operation of an agent', async () => {
  const { version } = await sdkManifest()
  const file = join(folder, packageFileName('python', version))
  await writeFile(file, await packed('python'))
  const to = join(folder, 'installed')
  const env = cleanEnv({ PYTHONDONTWRITEBYTECODE: '1', PYTHONNOUSERSITE: '1' })
  await run(python, ['-c', check, file, join(folder, 'unpacked')], { env })
  const hasPip = await run('python3', ['-m', 'pip', '--version'], { env }).then(
    () => true,
    () => false,
  )
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', '--no-compile', '--target', to, file]
  if (hasPip) await run('python3', pip, { env })
  const place = hasPip ? to : join(folder, 'unpacked')
  await run(python, ['-W', 'error', '-m', 'compileall', '-q', place], { env })
  const { stdout } = await run(python, ['-W', 'error', '-c', use, place], { env: { ...env, PYTHONPATH: place } })
  const names = new Set<string>(JSON.parse(stdout))
  const contract = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'))
  const operations = Object.entries<Record<string, { operationId: string }>>(contract.paths)
    .filter(([path]) => !/^\/api\/v1\/(human|visitor)\//.test(path))
    .flatMap(([, item]) => Object.values(item).flatMap(({ operationId }) => operationId ?? []))
  const methods = operations.flatMap((id) => {
    const method = id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return ownMethods[id] ?? [`Operations.${method}`, `AsyncOperations.${method}`]
  })
  assert.ok(methods.length > 300)
  assert.deepEqual(
    methods.filter((name) => !names.has(name)),
    [],
  )
})

test('the module makes an operation_id exactly where the SDK does', async () => {
  const ask = `
import json, kith
from kith._operations import Operations
class Asked(Operations):
    def _read(self, template, params, query): return None
    def _upload(self, source, purpose, upload_id, name): return None
    def _bytes(self, template, params, query, to, overwrite): return None
    def _headers(self, template, params): return None
    def _change(self, method, template, params, body, operation_id, has_operation_id):
        if has_operation_id: routes.append(f"{method} {template}")
routes = []
for name, method in vars(Operations).items():
    if name.startswith(("post_", "put_", "patch_", "delete_")):
        names = method.__code__.co_varnames[1:method.__code__.co_argcount]
        method(Asked(), *names)
print(json.dumps(sorted(routes)))`
  const env = cleanEnv({ PYTHONPATH: join(import.meta.dirname, '..'), PYTHONDONTWRITEBYTECODE: '1' })
  const { stdout } = await run(python, ['-c', ask], { env })
  assert.deepEqual(JSON.parse(stdout), [...withOperationId].sort())
})
