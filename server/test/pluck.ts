export const pluck = <T extends { [field in K]?: unknown }, K extends PropertyKey>(
  list: readonly T[],
  key: K,
): T[K][] => list.map((each) => each[key])
