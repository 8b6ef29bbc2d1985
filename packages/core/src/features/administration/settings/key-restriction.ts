import { keysOf } from '../../../shared/keys-of.ts'

/** Allowed minimum key sizes in bits for each type of SSH key. */
const allowedSizes = {
  rsaKeyRestriction: [1024, 2048, 3072, 4096],
  dsaKeyRestriction: [1024, 2048, 3072],
  ecdsaKeyRestriction: [256, 384, 521],
  ed25519KeyRestriction: [256],
} as const

export type KeyRestriction = keyof typeof allowedSizes

export const keyRestrictions = keysOf(allowedSizes)

/** The value that forbids a key type; 0 allows every key size. */
export const forbiddenKey = -1

const joinAlternatives = (values: readonly number[]) => {
  const words = values.map(String)
  if (words.length < 3) return words.join(' or ')
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`
}

/** Why a restriction is invalid; undefined when it is valid. */
export const keyRestrictionProblem = (name: KeyRestriction, value: number): string | undefined => {
  const allowed: readonly number[] = [0, forbiddenKey, ...allowedSizes[name]]
  if (allowed.includes(value)) return undefined
  return `must be forbidden, allowed, or one of these sizes: ${joinAlternatives(allowedSizes[name])}`
}
