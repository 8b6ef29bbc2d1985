/** A seed as text: YAML or JSON. */
export const formatSeed = async (seed: object, isJson: boolean): Promise<string> => {
  if (isJson) return `${JSON.stringify(seed, undefined, 2)}\n`
  return (await import('yaml')).stringify(seed, { lineWidth: 120 })
}
