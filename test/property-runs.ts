const { FORGELET_PROPERTY_RUNS: factorText = '1', FORGELET_PROPERTY_SEED: chosenSeed } = process.env

/** Multiplies the number of examples, and the time limits of tests that have one. */
export const propertyFactor = Number(factorText)

/**
 * Parameters for fast-check: `count` runs, multiplied by `FORGELET_PROPERTY_RUNS`. A failure prints its seed;
 * `FORGELET_PROPERTY_SEED` generates the same examples again.
 */
export const propertyRuns = (count: number): { readonly numRuns: number; readonly seed?: number } => ({
  numRuns: Math.ceil(count * propertyFactor),
  ...(chosenSeed !== undefined && { seed: Number(chosenSeed) }),
})
