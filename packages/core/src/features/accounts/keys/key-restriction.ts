import { keysOf } from '../../../shared/keys-of.ts'
import type { SshKey, SshKeyFamily } from './ssh-key.ts'

/** Per key family: 0 allows every size, -1 allows none, another value is the smallest allowed size in bits. */
export type KeyRestrictions = Readonly<Record<SshKeyFamily, number>>

const forbiddenFamily = -1

const familyNames: Readonly<Record<SshKeyFamily, string>> = {
  rsa: 'RSA',
  dsa: 'DSA',
  ecdsa: 'ECDSA',
  ed25519: 'ED25519',
}

const formatAlternatives = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`

/**
 * Returns the reason for which the restrictions reject the key, or `undefined`.
 * The text continues the name of the field: `key must be at least 2048 bits`.
 */
export const findKeyRestrictionProblem = (
  key: Pick<SshKey, 'family' | 'bits'>,
  restrictions: KeyRestrictions,
): string | undefined => {
  const restriction = restrictions[key.family]
  if (restriction !== forbiddenFamily)
    return key.bits < restriction ? `must be at least ${restriction} bits` : undefined
  const allowed = keysOf(familyNames).filter((family) => restrictions[family] !== forbiddenFamily)
  if (allowed.length === 0) return 'type is forbidden'
  return `type is forbidden. Must be ${formatAlternatives(allowed.map((family) => familyNames[family]))}`
}
