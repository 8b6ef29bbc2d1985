import { createPrivateKey, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/property-runs.ts'
import {
  type CertificateWithKey,
  certificateFactory,
  hasOpenssl,
} from '../../../../../../test/support/openssl-certificates.ts'
import { certificateDetails, certificateProblems } from './certificate.ts'
import { readCertificateChain } from './certificate-chain.ts'

const now = '2026-11-21T12:00:00.000Z'

describe.skipIf(!hasOpenssl)('certificates created by openssl', () => {
  const factory = certificateFactory()
  afterAll(factory.remove)

  const authority = (subject: string, issuer?: CertificateWithKey) =>
    factory.create({
      subject,
      extensions: 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign\nsubjectKeyIdentifier=hash',
      ...(issuer && { issuer }),
    })

  const root = authority('/CN=Root')
  const upper = authority('/CN=Upper', root)
  const lower = authority('/CN=Lower', upper)
  const leaf = factory.create({ subject: '/C=DE/CN=www.example.com', issuer: lower })
  const own = factory.create({ subject: '/CN=own.example.com' })
  const rsa = factory.create({ key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'] })
  const { key } = leaf
  const pem = (...parts: CertificateWithKey[]) => parts.map(({ certificate }) => certificate).join('')
  const roots = [root.certificate]

  describe('accepted', () => {
    test.each([
      ['the whole chain', { certificate: pem(leaf, lower, upper), key }],
      ['the whole chain with its root', { certificate: pem(leaf, lower, upper, root), key }],
      ['intermediates in another order', { certificate: pem(leaf, upper, lower), key }],
      ['duplicate and unrelated certificates', { certificate: pem(leaf, own, lower, lower, upper), key }],
      ['a certificate signed by the root', { certificate: upper.certificate, key: upper.key }],
      ['a self-signed certificate', { certificate: own.certificate, key: own.key }],
      ['RSA', { certificate: rsa.certificate, key: rsa.key }],
      ['neither certificate nor key', {}],
      ['blank texts', { certificate: ' ', key: '\n' }],
      [
        'text between the blocks and CRLF line ends',
        { certificate: `bag\n${leaf.certificate}issuer\n${pem(lower, upper)}`.replaceAll('\n', '\r\n'), key },
      ],
    ])('%s', (_name, input) => {
      expect(certificateProblems(input, { roots })).toEqual({})
    })

    test('expired and not yet valid certificates', () => {
      for (const validity of [
        ['20200101000000Z', '20210101000000Z'],
        ['20900101000000Z', '20910101000000Z'],
      ] as const) {
        const { certificate, key: itsKey } = factory.create({ validity })
        expect(certificateProblems({ certificate, key: itsKey }, { roots })).toEqual({})
        expect(certificateDetails(certificate, now).expired).toBe(true)
      }
    })

    test('keys in PKCS #1 and SEC 1 form', () => {
      const object = createPrivateKey(rsa.key)
      const older = object.export({ type: 'pkcs1', format: 'pem' }).toString()
      expect(certificateProblems({ certificate: rsa.certificate, key: older })).toEqual({})
      const curve = createPrivateKey(own.key).export({ type: 'sec1', format: 'pem' }).toString()
      expect(certificateProblems({ certificate: own.certificate, key: curve })).toEqual({})
    })
  })

  describe('rejected', () => {
    const invalid = 'must be a valid PEM certificate'
    const mismatch = "doesn't match the certificate"
    const misses = 'misses intermediates'

    const encrypted = createPrivateKey(own.key)
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
      .toString()

    test.each([
      ['junk', { certificate: 'junk', key }, { certificate: [invalid], key: [mismatch] }],
      [
        'a truncated certificate',
        { certificate: leaf.certificate.slice(0, 300), key },
        { certificate: [invalid], key: [mismatch] },
      ],
      [
        'a broken intermediate',
        { certificate: leaf.certificate + lower.certificate.replace('MII', 'AAA'), key },
        { certificate: [invalid], key: [mismatch] },
      ],
      [
        'too many certificates',
        { certificate: own.certificate.repeat(17), key: own.key },
        { certificate: [invalid], key: [mismatch] },
      ],
      [
        'a long text',
        { certificate: own.certificate + ' '.repeat(131_072), key: own.key },
        { certificate: [invalid], key: [mismatch] },
      ],
      [
        'the key in the certificate',
        { certificate: own.certificate + own.key, key: own.key },
        { certificate: ['must not contain a private key'], key: [mismatch] },
      ],
      ['no key', { certificate: own.certificate }, { key: [mismatch] }],
      ['no certificate', { key }, { key: [mismatch] }],
      [
        'a junk key',
        { certificate: own.certificate, key: 'junk' },
        { key: ['must be a valid PEM private key', mismatch] },
      ],
      [
        'a certificate instead of a key',
        { certificate: own.certificate, key: own.certificate },
        { key: ['must be a valid PEM private key', mismatch] },
      ],
      [
        'an encrypted key',
        { certificate: own.certificate, key: encrypted },
        { key: ['must be a valid PEM private key', mismatch] },
      ],
      ['another key', { certificate: own.certificate, key }, { key: [mismatch] }],
      ['a key of another type', { certificate: own.certificate, key: rsa.key }, { key: [mismatch] }],
      ['the chain in reverse order', { certificate: pem(upper, lower, leaf), key }, { key: [mismatch] }],
      ['no intermediates', { certificate: leaf.certificate, key }, { certificate: [misses] }],
      ['a gap in the chain', { certificate: pem(leaf, upper), key }, { certificate: [misses] }],
      ['a chain that ends early', { certificate: pem(leaf, lower), key }, { certificate: [misses] }],
      [
        'everything at once',
        { certificate: leaf.certificate, key: 'junk' },
        { certificate: [misses], key: ['must be a valid PEM private key', mismatch] },
      ],
    ])('%s', (_name, input, problems) => {
      expect(certificateProblems(input, { roots })).toEqual(problems)
    })

    test('a chain to an untrusted root', () => {
      const certificate = pem(leaf, lower, upper, root)
      expect(certificateProblems({ certificate, key })).toEqual({ certificate: [misses] })
      expect(certificateProblems({ certificate, key }, { roots: [own.certificate] })).toEqual({
        certificate: [misses],
      })
    })

    test('an intermediate that is not a CA', () => {
      const notAuthority = factory.create({ subject: '/CN=Lower', issuer: root })
      const below = factory.create({ issuer: notAuthority })
      const input = { certificate: pem(below, notAuthority), key: below.key }
      expect(certificateProblems(input, { roots })).toEqual({ certificate: [misses] })
    })

    test('an intermediate with the right name and another key', () => {
      const impostor = authority('/CN=Lower', upper)
      expect(certificateProblems({ certificate: pem(leaf, impostor, upper), key }, { roots })).toEqual({
        certificate: [misses],
      })
    })

    test('no certificate while pages are HTTPS only', () => {
      const message = ['must be present if HTTPS-only is enabled']
      expect(certificateProblems({}, { httpsOnly: true })).toEqual({ certificate: message, key: message })
      expect(certificateProblems({ certificate: own.certificate, key: own.key }, { httpsOnly: true })).toEqual({})
    })
  })

  test('the chain is ordered from most to least specific', () => {
    const chain = readCertificateChain(pem(leaf, root, own, upper, lower))
    expect(chain?.certificates.map(({ subject }) => subject)).toEqual([
      'C=DE\nCN=www.example.com',
      'CN=Lower',
      'CN=Upper',
      'CN=Root',
      'CN=own.example.com',
    ])
    expect(chain?.leaf.subject).toBe('C=DE\nCN=www.example.com')
  })

  test('cross-signed authorities terminate the search', () => {
    const first = authority('/CN=A')
    const second = authority('/CN=B', first)
    const back = factory.create({ subject: '/CN=A', issuer: second, extensions: 'basicConstraints=critical,CA:TRUE' })
    const below = factory.create({ issuer: second })
    const certificate = pem(below, second, back, first)
    expect(certificateProblems({ certificate, key: below.key }, { roots })).toEqual({
      certificate: ['misses intermediates'],
    })
  })

  describe('details', () => {
    const from = '20260101000000Z'
    const { certificate } = factory.create({ subject: '/CN=example.com', validity: [from, '20260630120000Z'] })

    test.each([
      ['2025-12-31T23:59:59.999Z', true],
      ['2026-01-01T00:00:00.000Z', false],
      ['2026-06-30T12:00:00.000Z', false],
      ['2026-06-30T12:00:00.001Z', true],
    ])('at %s expired is %s', (instant, expired) => {
      expect(certificateDetails(certificate, instant)).toMatchObject({
        expired,
        expiration: '2026-06-30T12:00:00.000Z',
      })
    })

    test('contain the text, the subject and the submitted PEM', () => {
      const chain = pem(leaf, lower, upper)
      const details = certificateDetails(`before\n${chain}`, now)
      expect(details.certificate).toBe(`before\n${chain}`)
      expect(details.subject).toBe('/C=DE/CN=www.example.com')
      expect(details.certificateText).toMatch(/^Certificate:\n {4}Data:\n/)
    })

    test.each([
      '/C=DE/O=Example, Inc./CN=www.example.com',
      '/CN=Zoë 東京',
      '/O=x+OU=y/CN=1.2.3.4',
      '/emailAddress=ann@example.com/CN="a"',
    ])('the subject equals the output of openssl: %s', (subject) => {
      const created = factory.create({ subject })
      const printed = factory.opensslOutput(created.certificate, '-subject', '-nameopt', 'compat')
      expect(`subject=${certificateDetails(created.certificate, now).subject}\n`).toBe(printed)
    })

    test('separators in a subject are escaped', () => {
      const created = factory.create({ subject: '/O=a\\/b/CN=c\\+d' })
      expect(certificateDetails(created.certificate, now).subject).toBe('/O=a\\/b/CN=c\\+d')
    })

    test('a certificate of version 1', () => {
      const created = factory.create({ extensions: '' })
      expect(certificateDetails(created.certificate, now).subject).toBe('/CN=example.com')
      expect(certificateProblems(created)).toEqual({})
    })
  })
})

test('a damaged certificate is either displayed or rejected', () => {
  const damaged = fc.record({
    pem: fc.constantFrom(...rootCertificates.slice(0, 20)),
    changes: fc.array(fc.record({ at: fc.nat(3000), octet: fc.nat(255) }), { minLength: 1, maxLength: 4 }),
  })
  let rejected = 0
  fc.assert(
    fc.property(damaged, ({ pem, changes }) => {
      const der = Buffer.from(new X509Certificate(pem).raw)
      for (const { at, octet } of changes) der[at % der.length] = octet
      const text = `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
      const problems = certificateProblems({ certificate: text })
      if (problems.certificate?.[0] === 'must be a valid PEM certificate') rejected += 1
      else expect(certificateDetails(text, now).certificateText).toContain('Signature Algorithm: ')
    }),
    propertyRuns(100),
  )
  expect(rejected).toBeGreaterThan(10)
})
