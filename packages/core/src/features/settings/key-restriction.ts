/** Sizes in bits that a smallest key size can name, for each kind of SSH key. */
const sizes = {
  rsaKeyRestriction: [1024, 2048, 3072, 4096],
  dsaKeyRestriction: [1024, 2048, 3072],
  ecdsaKeyRestriction: [256, 384, 521],
  ed25519KeyRestriction: [256],
} as const

export type KeyRestriction = keyof typeof sizes

export const keyRestrictions = Object.keys(sizes) as readonly KeyRestriction[]

/** The value that refuses every key of a kind; 0 allows every key. */
export const forbiddenKey = -1

const listed = (values: readonly number[]) => {
  const words = values.map(String)
  if (words.length < 3) return words.join(' or ')
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`
}

/** Why a restriction is refused, undefined when its kind of key knows it. */
export const keyRestrictionProblem = (name: KeyRestriction, value: number): string | undefined => {
  const known: readonly number[] = [0, forbiddenKey, ...sizes[name]]
  if (known.includes(value)) return undefined
  return `must be forbidden, allowed, or one of these sizes: ${listed(sizes[name])}`
}
