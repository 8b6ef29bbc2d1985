import { expect, test } from 'vitest'
import { findKeyRestrictionProblem } from './key-restriction.ts'

const unrestricted = { rsa: 0, dsa: 0, ecdsa: 0, ed25519: 0 }

test.each([
  ['accepts any size without a restriction', { family: 'rsa', bits: 512 }, unrestricted, undefined],
  ['accepts the smallest allowed size', { family: 'rsa', bits: 2048 }, { ...unrestricted, rsa: 2048 }, undefined],
  [
    'rejects a smaller size',
    { family: 'rsa', bits: 2047 },
    { ...unrestricted, rsa: 2048 },
    'must be at least 2048 bits',
  ],
  [
    'rejects a smaller curve',
    { family: 'ecdsa', bits: 256 },
    { ...unrestricted, ecdsa: 384 },
    'must be at least 384 bits',
  ],
  [
    'ignores the restrictions of other families',
    { family: 'ed25519', bits: 256 },
    { ...unrestricted, rsa: -1, dsa: 3072 },
    undefined,
  ],
  [
    'rejects a forbidden family and names three alternatives',
    { family: 'dsa', bits: 2048 },
    { ...unrestricted, dsa: -1 },
    'type is forbidden. Must be RSA, ECDSA, or ED25519',
  ],
  [
    'names two alternatives',
    { family: 'dsa', bits: 1 },
    { ...unrestricted, dsa: -1, rsa: -1 },
    'type is forbidden. Must be ECDSA or ED25519',
  ],
  [
    'names one alternative',
    { family: 'rsa', bits: 1 },
    { rsa: -1, dsa: -1, ecdsa: -1, ed25519: 256 },
    'type is forbidden. Must be ED25519',
  ],
  [
    'names no alternative if all are forbidden',
    { family: 'rsa', bits: 1 },
    { rsa: -1, dsa: -1, ecdsa: -1, ed25519: -1 },
    'type is forbidden',
  ],
] as const)('%s', (_name, key, restrictions, problem) => {
  expect(findKeyRestrictionProblem(key, restrictions)).toBe(problem)
})
