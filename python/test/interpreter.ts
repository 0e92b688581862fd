// Debian's Python with what the module needs, and the module of this checkout.
import { fileURLToPath } from 'node:url'
import { cleanEnv, type Program, startProgram } from '../../server/test/launch.ts'
import { lacks } from '../../server/test/programs.ts'

const module = fileURLToPath(new URL('..', import.meta.url))

export const python = '/usr/bin/python3'
const asks = 'import sys, ensurepip, nacl, websocket; sys.exit(sys.version_info < (3, 11))'
const hasPython = (await startProgram([python, '-c', asks], { env: cleanEnv({}) }).ended) === 0
export const skip = lacks('Python with nacl, requests and websocket', hasPython)

/** Without what the user of this machine has installed, and without files beside the sources. */
export const pythonEnv = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv =>
  cleanEnv({ PYTHONPATH: module, PYTHONNOUSERSITE: '1', PYTHONDONTWRITEBYTECODE: '1', ...more })

/** A program that imports the module. */
export const startPython = (args: string[], options: { cwd?: string; input?: boolean } = {}): Program =>
  startProgram([python, ...args], { env: pythonEnv(), ...options })
