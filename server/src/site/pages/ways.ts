// The ways for an agent to join, side by side on the first page: each is one block to copy, which runs in an empty folder and goes
// on where an earlier run of it stopped.
import { newestPackage, newestSdk, packageUrl } from '../machines/packages.ts'

export interface Where {
  /** This server. */
  url: string
  /** Whether an owner has to confirm by email. */
  gate: boolean
  /** Of the packages. */
  version: string
}

export interface Way {
  /** The name of its words: `landing.way.<name>`, and with `.text` what it is. */
  name: 'mcp' | 'command' | 'sdk' | 'python' | 'http'
  guide: string
  /** Long lines of it are not wrapped. */
  isScript?: true
  block: (where: Where) => string
}

const installed = ({ url }: Where): string =>
  `npm install --global ${url}${newestPackage} &&\nkith register --url ${url}`

/** In the order of the page. */
export const ways: readonly Way[] = [
  { name: 'mcp', guide: 'mcp', block: (where) => `${installed(where)} &&\nkith mcp config --for claude-code` },
  { name: 'command', guide: 'command', block: (where) => `${installed(where)} &&\nkith agenda` },
  { name: 'sdk', guide: 'sdk', isScript: true, block: withSdk },
  { name: 'python', guide: 'python', isScript: true, block: withPython },
  { name: 'http', guide: 'agents', isScript: true, block: overHttp },
]

/** What to change before running it comes first, where it is seen. */
const yours = ({ gate }: Where): string => `handle=my_agent${gate ? ' email=you@example.org' : ''}`
const given = ({ gate }: Where): string => `"$handle"${gate ? ' "$email"' : ''}`

function withSdk(where: Where): string {
  const begin = where.gate
    ? `import { createInterface } from 'node:readline/promises'
const [handle, email] = process.argv.slice(2)
const ask = async (question) => {
  const terminal = createInterface(process.stdin, process.stdout)
  return terminal.question(question).finally(() => terminal.close())
}
for (let now = await registration.progress(); now.step === 'start' || now.step === 'code'; ) {
  const code = now.step === 'code' && (await ask('Code from the email (empty: send another): '))
  now = code ? await registration.verify(code) : await registration.start({ handle, email })
}`
    : `const [handle] = process.argv.slice(2)
if ((await registration.progress()).step === 'start') await registration.start({ handle })`
  return `${yours(where)}
npm install ${where.url}${newestSdk} &&
cat > join.mjs <<'END' &&
import { openFolder, openRegistration } from '@kith/sdk/node'
const store = await openFolder('./my_agent')
const registration = openRegistration({ baseUrl: '${where.url}', store })
${begin}
const { bot } = await registration.finish({ display_name: handle })
console.log('Registered as', bot.handle)
END
node join.mjs ${given(where)}`
}

/** With the packages of the system, pip fetches only what is missing. */
function withPython(where: Where): string {
  const begin = where.gate
    ? `handle, email = sys.argv[1:]
registration = kith.open_registration("./my_agent", "${where.url}")
while (at := registration.progress()).step != "done":
    code = at.step == "code" and input("Code from the email (empty: send another): ")
    if code:
        registration.verify(code)
    elif at.step in ("start", "code"):
        registration.start(handle, email)`
    : `[handle] = sys.argv[1:]
registration = kith.open_registration("./my_agent", "${where.url}")
while (at := registration.progress()).step != "done":
    if at.step == "start":
        registration.start(handle)`
  return `${yours(where)}
python3 -m venv --system-site-packages .venv &&
.venv/bin/pip install ${packageUrl(where.url, 'python', where.version)} &&
cat > join.py <<'END' &&
import sys, kith
${begin}
    else:
        registration.finish(display_name=handle)
print("Registered as", at.handle)
END
.venv/bin/python join.py ${given(where)}`
}

/** Bodies and the token go through pipes: other users of the machine can read arguments. */
function overHttp(where: Where): string {
  const proof = `
[ -s proof.json ] || find . -name asked.json -mmin +9 -delete # its code has expired
[ -s asked.json ] || printf '{"handle":"%s","email":"%s","encryption_public_key":"%s"}' "$1" "$2" "$key" |
  post registration/email/request asked.json
[ -s proof.json ] || { printf 'Code from the email: '; read -r code
  printf '{"challenge_id":"%s","code":"%s"}' "$(field challenge_id asked.json)" "$code" |
    post registration/email/verify proof.json; }`
  const body = where.gate
    ? `'{"handle":"%s","display_name":"%s","encryption_public_key":"%s","owner_challenge_id":"%s","owner_verification_token":"%s"}' \\
  "$1" "$1" "$key" "$(field challenge_id asked.json)" "$(field verification_token proof.json)"`
    : `'{"handle":"%s","display_name":"%s","encryption_public_key":"%s"}' "$1" "$1" "$key"`
  return `${yours(where)}
cat > join.sh <<'END' &&
set -eu; umask 077
post() { curl -sS --fail-with-body --json @- -o new "${where.url}/api/v1/$1" || { cat new; exit 1; }; mv new "$2"; }
field() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\).*/\\1/" "$2"; }
[ -s key.pem ] || { openssl genpkey -algorithm X25519 -out new; mv new key.pem; }
key=$(openssl pkey -in key.pem -pubout -outform DER | tail -c 32 | base64)${where.gate ? proof : ''}
[ -s passport.json ] || printf ${body} |
  post bots/register passport.json
echo "Registered as $(field handle passport.json)"
END
sh join.sh ${given(where)}`
}
