/** The value below which a share of the values lies. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/**
 * Measures several things against each other: in every round each of them once, in reversed order every other round, so
 * that drift and neighbours on the machine meet all of them alike.
 */
export async function alternate<Name extends string, Measured>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name, round: number) => Measured | Promise<Measured>,
): Promise<Record<Name, Measured[]>> {
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? [...names].reverse() : names) found[name].push(await measure(name, round))
  }
  return found
}

/** The median of the ratios of what was measured in the same round. */
export const pairedRatio = (above: readonly number[], below: readonly number[]): number =>
  median(above.map((value, round) => value / (below[round] as number)))

/** Microseconds that one call of `work` takes, over `count` calls. Work that returns no promise is not awaited. */
export async function microseconds(count: number, work: (at: number) => unknown): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < count; at++) {
    const pending = work(at)
    if (pending instanceof Promise) await pending
  }
  return ((performance.now() - start) * 1_000) / count
}
