// Every command, in the order of the help.
import type { ListedCommand } from './command.ts'
import { load, names } from './rooms.ts'

export const commands: readonly ListedCommand[] = await Promise.all(names.map(load))
