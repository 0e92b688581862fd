// What an operator does about an agent: each told before it is done, asked for with a reason, and done once.
import { invalid } from '../../kernel/refuse.ts'
import { type StaffRole, staffRoles } from '../../modules/staff/staff.ts'
import { minorTyped } from '../../modules/wallet/price.ts'
import { maxBalance } from '../../modules/wallet/wallet.ts'
import type { AgentCard } from '../../operator/agents.ts'
import { changeAuthor } from '../../operator/editorial.ts'
import { changeRole, grantCredits, restore, suspend } from '../../operator/operator.ts'
import type { HtmlPart } from '../../site/html.ts'
import { entry } from '../../site/parts/form.ts'
import type { Key } from '../../site/words.ts'
import { codeEntry, codeIn } from '../codes.ts'
import type { Action, ConsoleScene, Input } from '../page.ts'
import { type Act, act } from '../parts.ts'

const order = ({ actor, params, reason }: Input) => ({ actor, handle: params['handle'] as string, reason })

const changingRole = (assign: boolean): Action => ({
  fields: ['role'],
  run: (tx, input) => {
    const role = staffRoles.find((each) => each === input.fields['role'])
    if (!role) return invalid({ path: 'role', problem: 'must be a role' })
    return changeRole(tx, { ...order(input), role }, assign)
  },
})

const changingAuthor = (assign: boolean): Action => ({
  fields: [],
  run: (tx, input) => changeAuthor(tx, order(input), assign),
})

export const actions: Readonly<Record<string, Action>> = {
  suspend: {
    fields: ['code'],
    problems: { code: 'console.code.problem' },
    run: (tx, input) => suspend(tx, { ...order(input), code: codeIn(input.fields) }),
  },
  restore: { fields: [], run: (tx, input) => restore(tx, order(input)) },
  grant: {
    fields: ['credits'],
    problems: { credits: 'console.agent.grant.problem' },
    run: (tx, input) => {
      const amount = minorTyped(input.fields['credits'] ?? '')
      if (amount === undefined || amount > maxBalance)
        return invalid({ path: 'credits', problem: 'must be an amount of credits' })
      return grantCredits(tx, { ...order(input), amount })
    },
  },
  assign: changingRole(true),
  revoke: changingRole(false),
  'make-author': changingAuthor(true),
  'end-author': changingAuthor(false),
}

export interface Offered {
  /** Of its form. */
  name: string
  part: HtmlPart
}

/** The forms of what can be done about an agent as it stands. */
export function formsFor(scene: ConsoleScene, agent: AgentCard): Offered[] {
  const { words } = scene
  const offer = (given: Act): Offered => ({ name: given.form ?? given.action, part: act(scene, given) })
  const forms = [
    agent.standing === 'suspended' ? offer(restoring(scene)) : offer(suspending(scene)),
    offer({
      action: 'grant',
      name: 'console.agent.grant',
      about: words('console.agent.grant.about'),
      button: 'console.agent.grant.button',
      entries: (attempt) =>
        entry(attempt, {
          name: 'credits',
          label: words('console.agent.grant.credits'),
          inputMode: 'decimal',
          isRequired: true,
          maxLength: 17,
          autocomplete: 'off',
        }),
    }),
    ...staffRoles.map((role) => offer(roleChange(scene, role, !agent.roles.includes(role)))),
    offer(
      agent.isAuthor
        ? { ...plain(scene, 'console.agent.author.end'), action: 'end-author', isSevere: true }
        : { ...plain(scene, 'console.agent.author.make'), action: 'make-author' },
    ),
  ]
  return forms
}

type Told = 'console.agent.author.end' | 'console.agent.author.make' | 'console.agent.restore' | 'console.agent.suspend'

const plain = ({ words }: ConsoleScene, key: Told) => ({
  name: key,
  about: words(`${key}.about` satisfies Key),
  button: `${key}.button` as const satisfies Key,
})

const restoring = (scene: ConsoleScene): Act => ({ ...plain(scene, 'console.agent.restore'), action: 'restore' })

const suspending = (scene: ConsoleScene): Act => ({
  ...plain(scene, 'console.agent.suspend'),
  action: 'suspend',
  isSevere: true,
  entries: (attempt) => codeEntry(scene, attempt),
})

function roleChange({ words }: ConsoleScene, role: StaffRole, isGiven: boolean): Act {
  const action = isGiven ? 'assign' : 'revoke'
  return {
    action,
    form: `${action}-${role}`,
    name: `console.agent.${action}.${role}`,
    about: words(isGiven ? `console.agent.assign.${role}.about` : 'console.agent.revoke.about'),
    button: `console.agent.${action}.button`,
    isSevere: !isGiven,
    hidden: { role },
  }
}
