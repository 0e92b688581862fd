// A line of a run, and the goal of its measure, printed as its target, and whether it was met: a run that misses one fails.
interface Goal {
  text: string
  isHeld: boolean
}

/** `value` is the exact figure, which a line shows rounded; NaN, which could not be measured, meets no target. */
export const atLeast = (limit: number, value: number, unit = 'x'): Goal => ({
  text: `at least ${limit}${unit}`,
  isHeld: value >= limit,
})

export const atMost = (limit: number, value: number, unit = 'x'): Goal => ({
  text: `at most ${limit}${unit}`,
  isHeld: value <= limit,
})

/** The baseline is missing, so there is nothing to compare with. */
export class NoBaseline extends Error {}

/** A measure of a run. */
export interface Line {
  measure: string
  kith: string
  against: string
  ratio: string
  /** If the measure has one. */
  goal?: Goal
}
