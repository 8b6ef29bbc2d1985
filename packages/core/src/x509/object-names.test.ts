import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { longName, namedObjects, shortName } from './object-names.ts'

describe('object names', () => {
  test.each([
    ['2.5.4.3', 'CN', 'commonName'],
    ['2.5.4.5', 'serialNumber', 'serialNumber'],
    ['1.3.6.1.5.5.7.48.2', 'caIssuers', 'CA Issuers'],
    ['2.5.29.32.0', 'anyPolicy', 'X509v3 Any Policy'],
    ['1.2.3.4', '1.2.3.4', '1.2.3.4'],
    ['2.5.4', '2.5.4', '2.5.4'],
  ])('%s', (identifier, short, long) => {
    expect([shortName(identifier), longName(identifier)]).toEqual([short, long])
  })

  test('every entry of the table is complete', () => {
    const entries = [...namedObjects]
    expect(entries.length).toBeGreaterThan(300)
    for (const [identifier, { short, long }] of entries) {
      expect(identifier).toMatch(/^[0-9]+(\.[0-9]+){2,}$/)
      expect([short, long]).not.toContain('')
    }
  })

  const { stdout, status } = spawnSync('openssl', ['list', '-objects'], { encoding: 'utf8' })
  if (status !== 0) console.warn('!!! openssl lists no objects here: their names are NOT compared in this run !!!')

  test.skipIf(status !== 0)('the names are those of openssl', () => {
    const listed = new Map(
      stdout.split('\n').flatMap((line): [string, { short: string; long: string }][] => {
        const [, short = '', long = short, identifier] = /^([^#]+?) = (?:(.+), )?([0-9.]+)$/.exec(line) ?? []
        return identifier === undefined ? [] : [[identifier, { short, long }]]
      }),
    )
    const known = [...namedObjects].filter(([identifier]) => listed.has(identifier))
    expect(known.length).toBeGreaterThan(250)
    for (const [identifier, name] of known) expect([identifier, name]).toEqual([identifier, listed.get(identifier)])
  })
})
