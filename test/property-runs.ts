/**
 * Parameters for fast-check: `count` runs, multiplied by `FORGELET_PROPERTY_RUNS`. A failure prints its seed;
 * `FORGELET_PROPERTY_SEED` generates the same examples again.
 */
export const propertyRuns = (count: number): { readonly numRuns: number; readonly seed?: number } => {
  const { FORGELET_PROPERTY_RUNS: factor = '1', FORGELET_PROPERTY_SEED: seed } = process.env
  return { numRuns: Math.ceil(count * Number(factor)), ...(seed !== undefined && { seed: Number(seed) }) }
}
