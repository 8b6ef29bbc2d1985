import type { SshKey, SshKeyFamily } from './ssh-key.ts'

/** Per family of keys: 0 allows every size, -1 allows none, anything else is the smallest allowed size in bits. */
export type KeyRestrictions = Readonly<Record<SshKeyFamily, number>>

const forbidden = -1

const familyNames: Readonly<Record<SshKeyFamily, string>> = {
  rsa: 'RSA',
  dsa: 'DSA',
  ecdsa: 'ECDSA',
  ed25519: 'ED25519',
}

const alternatives = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')}, or ${names.at(-1)}`

/**
 * Why the settings of the instance do not accept this key; `undefined` when they do.
 * Continues the sentence that begins with the field's name: `key must be at least 2048 bits`.
 */
export const keyRestrictionComplaint = (
  key: Pick<SshKey, 'family' | 'bits'>,
  restrictions: KeyRestrictions,
): string | undefined => {
  const restriction = restrictions[key.family]
  if (restriction !== forbidden) return key.bits < restriction ? `must be at least ${restriction} bits` : undefined
  const allowed = (Object.keys(familyNames) as SshKeyFamily[]).filter((family) => restrictions[family] !== forbidden)
  if (allowed.length === 0) return 'type is forbidden'
  return `type is forbidden. Must be ${alternatives(allowed.map((family) => familyNames[family]))}`
}
