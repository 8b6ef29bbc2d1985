/** The quantile of the values; `share` is between 0 and 1. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/**
 * Measures several variants alternately: each once per round, in reversed order every other round, so that drift and other load
 * on the machine affect all of them equally.
 */
export async function alternate<Name extends string, Measured>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name, round: number) => Measured | Promise<Measured>,
): Promise<Record<Name, Measured[]>> {
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? [...names].reverse() : names) results[name].push(await measure(name, round))
  }
  return results
}

/** The median of the ratios of values measured in the same round. */
export const pairedRatio = (numerators: readonly number[], denominators: readonly number[]): number =>
  median(numerators.map((value, round) => value / (denominators[round] as number)))

/** The average time of one call of `work` in microseconds, over `count` calls. Synchronous results are not awaited. */
export async function microseconds(count: number, work: (at: number) => unknown): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < count; at++) {
    const pending = work(at)
    if (pending instanceof Promise) await pending
  }
  return ((performance.now() - start) * 1_000) / count
}
