import { expect, test } from 'vitest'
import { keyRestrictionComplaint } from './key-restriction.ts'

const free = { rsa: 0, dsa: 0, ecdsa: 0, ed25519: 0 }

test.each([
  ['free', { family: 'rsa', bits: 512 }, free, undefined],
  ['large enough', { family: 'rsa', bits: 2048 }, { ...free, rsa: 2048 }, undefined],
  ['too small', { family: 'rsa', bits: 2047 }, { ...free, rsa: 2048 }, 'must be at least 2048 bits'],
  ['too small a curve', { family: 'ecdsa', bits: 256 }, { ...free, ecdsa: 384 }, 'must be at least 384 bits'],
  ['another family is restricted', { family: 'ed25519', bits: 256 }, { ...free, rsa: -1, dsa: 3072 }, undefined],
  [
    'forbidden',
    { family: 'dsa', bits: 2048 },
    { ...free, dsa: -1 },
    'type is forbidden. Must be RSA, ECDSA, or ED25519',
  ],
  [
    'two left',
    { family: 'dsa', bits: 1 },
    { ...free, dsa: -1, rsa: -1 },
    'type is forbidden. Must be ECDSA or ED25519',
  ],
  [
    'one left',
    { family: 'rsa', bits: 1 },
    { rsa: -1, dsa: -1, ecdsa: -1, ed25519: 256 },
    'type is forbidden. Must be ED25519',
  ],
  ['none left', { family: 'rsa', bits: 1 }, { rsa: -1, dsa: -1, ecdsa: -1, ed25519: -1 }, 'type is forbidden'],
] as const)('%s', (_name, key, restrictions, complaint) => {
  expect(keyRestrictionComplaint(key, restrictions)).toBe(complaint)
})
