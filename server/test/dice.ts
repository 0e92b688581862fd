// What a crowd does by chance, and the same in each run.

/** A die of any number of sides, and one of a list. */
export function throws(seed = 4711): { dice: (sides: number) => number; pick: <T>(among: readonly T[]) => T } {
  let last = seed
  const dice = (sides: number): number => {
    last = (last * 1_103_515_245 + 12_345) % 2_147_483_648
    return (last >>> 12) % sides
  }
  return { dice, pick: (among) => among[dice(among.length)] as (typeof among)[number] }
}
