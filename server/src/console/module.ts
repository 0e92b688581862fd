import type { Page } from '../http/page.ts'
import type { Module } from '../module.ts'

export const consolePages: readonly Page[] = []

/** The operator's console. */
export const operatorConsole: Module = { pages: consolePages }
