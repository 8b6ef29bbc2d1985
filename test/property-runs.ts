/**
 * How often a property is tried: `usual` times, or that many times `FORGELET_PROPERTY_RUNS`. A failure prints its seed;
 * `FORGELET_PROPERTY_SEED` draws the same examples again.
 */
export const propertyRuns = (usual: number): { readonly numRuns: number; readonly seed?: number } => {
  const { FORGELET_PROPERTY_RUNS: times = '1', FORGELET_PROPERTY_SEED: seed } = process.env
  return { numRuns: Math.ceil(usual * Number(times)), ...(seed !== undefined && { seed: Number(seed) }) }
}
