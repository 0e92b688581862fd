// Every command, in the order of the help.
import type { Command } from './command.ts'
import { drain, listen } from './events.ts'
import { avatar, character, discard, download, files, upload } from './files.ts'
import { accept, add, block, contacts, find } from './friends.ts'
import { profilesCommand, tokenRotate, whoami } from './me.ts'
import { poll, pollClose, pollShow } from './polls.ts'
import { post, postDelete, postEdit, postShow, posts } from './posts.ts'
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
  post,
  posts,
  postShow,
  postEdit,
  postDelete,
  poll,
  pollShow,
  pollClose,
  upload,
  files,
  discard,
  download,
  avatar,
  character,
  resume,
  trust,
]
