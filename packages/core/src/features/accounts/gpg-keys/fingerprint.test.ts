import { expect, test } from 'vitest'
import { armor, newGpgKey } from '../../../../../../test/contract/gpg-keys.ts'
import { parseArmor } from './armor.ts'
import { readFingerprints } from './fingerprint.ts'

const fingerprintOf = (text: string) => {
  const data = parseArmor(text)
  return data && readFingerprints(data)?.primary
}

/** The sample certificates of RFC 9580, appendix A. */
const v4Key = `-----BEGIN PGP PUBLIC KEY BLOCK-----

xjMEU/NfCxYJKwYBBAHaRw8BAQdAPwmJlL3ZFu1AUxl5NOSofIBzOhKA1i+AEJku
Q+47JAY=
-----END PGP PUBLIC KEY BLOCK-----`

const v6Key = `-----BEGIN PGP PUBLIC KEY BLOCK-----

xioGY4d/4xsAAAAg+U2nu0jWCmHlZ3BqZYfQMxmZu52JGggkLq2EVD34laPCsQYf
GwoAAABCBYJjh3/jAwsJBwUVCg4IDAIWAAKbAwIeCSIhBssYbE8GCaaX5NUt+mxy
KwwfHifBilZwj2Ul7Ce62azJBScJAgcCAAAAAK0oIBA+LX0ifsDm185Ecds2v8lw
gyU2kCcUmKfvBXbAf6rhRYWzuQOwEn7E/aLwIwRaLsdry0+VcallHhSu4RN6HWaE
QsiPlR4zxP/TP7mhfVEe7XWPxtnMUMtf15OyA51YBM4qBmOHf+MZAAAAIIaTJINn
+eUBXbki+PSAld2nhJh/LVmFsS+60WyvXkQ1wpsGGBsKAAAALAWCY4d/4wKbDCIh
BssYbE8GCaaX5NUt+mxyKwwfHifBilZwj2Ul7Ce62azJAAAAAAQBIKbpGG2dWTX8
j+VjFM21J0hqWlEg+bdiojWnKfA5AQpWUWtnNwDEM0g12vYxoWM8Y81W+bHBw805
I8kWVkXU6vFOi+HWvv/ira7ofJu16NnoUkhclkUrk0mXubZvyl4GBg==
-----END PGP PUBLIC KEY BLOCK-----`

test('reads the fingerprints of keys of versions 4 and 6', () => {
  expect(fingerprintOf(v4Key)).toBe('c959bdbafa32a2f89a153b678cfde12197965a9a')
  expect(fingerprintOf(v6Key)).toBe('cb186c4f0609a697e4d52dfa6c722b0c1f1e27c18a56708f6525ec27bad9acc9')
})

test('accepts headers and checksums, and rejects wrong checksums', () => {
  const lines = v4Key.split('\n')
  const withParts = (checksum: string) =>
    [lines[0], 'Comment: A key', 'Version: 1', '', ...lines.slice(2, -1), checksum, lines.at(-1)].join('\n')
  const checksums = Array.from({ length: 4 }, (_, index) => `=AAA${'ABCD'[index]}`)
  expect(checksums.map((checksum) => fingerprintOf(withParts(checksum)))).toEqual(checksums.map(() => undefined))
  expect(fingerprintOf(withParts('').replace('\n\n-----END', '\n-----END'))).toBe(fingerprintOf(v4Key))
})

test('rejects text that is not one public key', () => {
  const one = parseArmor(newGpgKey()) as Buffer
  const retagged = (tag: number) => Buffer.concat([Buffer.of(0xc0 | tag), one.subarray(1)])
  const wrong = [
    '',
    'text',
    v4Key.replaceAll('PUBLIC', 'PRIVATE'),
    v4Key.replace('xjME', '!!!!'),
    v4Key.replace('xjME', ''),
    `${v4Key}\n${v4Key}`,
    armor(Buffer.concat([one, one])),
    armor(one.subarray(0, -1)),
    armor(retagged(5)),
    armor(retagged(13)),
    armor(Buffer.concat([one, retagged(5)])),
    armor(Buffer.concat([one.subarray(0, 2), Buffer.of(3), one.subarray(3)])),
    armor(Buffer.of(0xc6, 1, 4)),
    armor(Buffer.of(0xc6, 255, 255, 255, 255, 255)),
    armor(Buffer.of(0xc6, 224)),
    armor(Buffer.of(0x9b, 0)),
    armor(Buffer.of(0x06)),
  ]
  expect(wrong.map(fingerprintOf)).toEqual(wrong.map(() => undefined))
})

test('reads packets of each length format', () => {
  const body = (parseArmor(v4Key) as Buffer).subarray(2)
  const heads = [
    Buffer.of(0x98, body.length),
    Buffer.of(0x99, 0, body.length),
    Buffer.of(0x9a, 0, 0, 0, body.length),
    Buffer.of(0xc6, 255, 0, 0, 0, body.length),
  ]
  const expected = fingerprintOf(v4Key)
  for (const head of heads) expect(fingerprintOf(armor(Buffer.concat([head, body])))).toBe(expected)
  const longId = Buffer.concat([Buffer.of(0xcd, 192, 8), Buffer.alloc(200, 'x')])
  expect(fingerprintOf(armor(Buffer.concat([Buffer.of(0xc6, body.length), body, longId])))).toBe(expected)
})
