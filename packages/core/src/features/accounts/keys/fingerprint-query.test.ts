import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseFingerprintQuery } from './fingerprint-query.ts'

const sha256 = 'nUhzNyftwADy8AH3wFY31tAKs7HufskYTte2aXo/lC+'
const md5 = 'ba:81:59:68:d7:6c:cd:02:02:bf:6a:9b:55:4e:af:d1'

describe('parseFingerprintQuery', () => {
  test.each([
    [`SHA256:${sha256}`, 'sha256', sha256],
    [`sha256:${sha256}`, 'sha256', sha256],
    [md5, 'md5', md5],
    [md5.toUpperCase(), 'md5', md5],
    [`${md5}:00`, 'md5', `${md5}:00`],
    [`${md5} more`, 'md5', `${md5} more`],
  ])('parses %s', (text, algorithm, fingerprint) => {
    expect(parseFingerprintQuery(text)).toEqual({ algorithm, fingerprint })
  })

  test('parses random SHA-256 hashes', () => {
    for (let round = 0; round < 50; round += 1) {
      const bytes = randomBytes(40)
      const base64 = createHash('sha256').update(bytes).digest('base64').slice(0, 43)
      expect(parseFingerprintQuery(`SHA256:${base64}`)?.fingerprint).toBe(base64)
    }
  })

  test.each([
    '',
    sha256,
    `Sha256:${sha256}`,
    `SHA256:${sha256}=`,
    `SHA256:${sha256.slice(1)}`,
    `SHA256:${sha256}A`,
    `SHA256:${sha256}\n`,
    `SHA256: ${sha256}`,
    `SHA256:${sha256.replace('+', ' ')}`,
    `SHA256:${sha256.replace('/', '_')}`,
    `SHA512:${sha256}`,
    `MD5:${md5}`,
    ` ${md5}`,
    md5.slice(3),
    md5.replaceAll(':', ''),
    md5.replace('ba', 'bg'),
    md5.replace(':', '-'),
  ])('rejects %j', (text) => {
    expect(parseFingerprintQuery(text)).toBeUndefined()
  })
})
