import type { Module } from '../module.ts'
import { pages } from './pages.ts'

export const site: Module = { pages }
