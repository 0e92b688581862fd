#!/usr/bin/env node
// The operator's command of a checkout, on a Node that can run it.
import { fileURLToPath } from 'node:url'
import { launch } from '../../launch.mjs'

launch([fileURLToPath(new URL('../src/main.js', import.meta.url)), ...process.argv.slice(2)])
