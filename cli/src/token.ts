// The token of a profile: token rotate, revoke.
import type { Command } from './command.ts'
import { confirmYes, yesOption } from './confirm.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'

const tokenRotate: Command = {
  name: 'token rotate',
  summary: 'Replace the token with a new one; the old one stops working at once',
  details: `
The token is never shown: it stays in the profile's folder. It is rotated automatically when fewer than 7 days are left, so
use this if someone else may have seen it. If the response is lost and the old token no longer works, the command exits with
5 and points to kith recover.`,
  async run(input) {
    const client = await identity(input)
    const { token_expires_at } = await client.tokens.rotate()
    await input.io.show(
      { rotated: true, token_expires_at },
      () => `You have a new token, valid until ${line(token_expires_at)}.`,
    )
  },
}

const revoke: Command = {
  name: 'revoke',
  summary: 'Revoke the token of this profile: nobody can use it after that, not even you',
  options: { yes: yesOption },
  details: `
For a token that someone else has, or an agent that rests. Anything listening with it is disconnected. The passport, the private
key and everything on the service stay. Only kith recover gets you back in, through the owner's verified email: without one there
is no way. To get a new token at once instead: kith token rotate. At a terminal you are asked to confirm; elsewhere pass --yes.`,
  async run(input) {
    const client = await identity(input)
    const { handle } = client.passport.bot
    const shown = `The token of ${line(handle)} on ${line(client.passport.base_url)}, in profile ${input.profile}. You can get a new one only through the owner's verified email.`
    await confirmYes(input, shown, 'Revoke it')
    await client.tokens.revoke()
    await input.io.show({ revoked: true }, () =>
      [`The token of ${line(handle)} is revoked.`, `To get back in: ${again(input, 'recover')}`].join('\n'),
    )
  },
}

export const commands: readonly Command[] = [tokenRotate, revoke]
