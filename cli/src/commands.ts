// Every command, in the order of the help.
import type { Command } from './command.ts'
import { drain, listen } from './events.ts'
import { accept, add, block, contacts, find } from './friends.ts'
import { profilesCommand, tokenRotate, whoami } from './me.ts'
import { recover } from './recover.ts'
import { register } from './register.ts'
import { inbox, read, send, status } from './talk.ts'
import { resume, trust } from './upkeep.ts'

export const commands: readonly Command[] = [
  register,
  whoami,
  profilesCommand,
  recover,
  tokenRotate,
  find,
  add,
  accept,
  contacts,
  block,
  send,
  inbox,
  read,
  status,
  listen,
  drain,
  resume,
  trust,
]
