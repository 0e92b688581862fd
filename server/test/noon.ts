// The hour at which a story of days is told: whenever the tests run, midnight is far.
import { days, hours } from '../src/kernel/clock.ts'
import type { World } from './world.ts'

/** Travels to noon (UTC) of the next day, so that what happens at once happens on one day. */
export const toNoon = (w: World): void => w.travel(days(1) + hours(12) - (w.now().getTime() % days(1)))
