import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type CertificateOptions,
  certificateFactory,
  hasOpenssl,
  hasReferenceTextForm,
} from '../../../../test/support/openssl-certificates.ts'
import { certificateText } from './certificate-text.ts'

const textOf = (pem: string) => certificateText(new X509Certificate(pem).raw)

test('the text of a fixed certificate', () => {
  const pem = `-----BEGIN CERTIFICATE-----
MIIB9jCCAaigAwIBAgIBKjAFBgMrZXAwPzELMAkGA1UEBhMCREUxFjAUBgNVBAoM
DUV4YW1wbGUsIEluYy4xGDAWBgNVBAMMD3d3dy5leGFtcGxlLmNvbTAeFw0yNjEx
MjExMTM3NDlaFw0zNjExMTgxMTM3NDlaMD8xCzAJBgNVBAYTAkRFMRYwFAYDVQQK
DA1FeGFtcGxlLCBJbmMuMRgwFgYDVQQDDA93d3cuZXhhbXBsZS5jb20wKjAFBgMr
ZXADIQDLFwVdlmm2hz+/KhosLDxh33Q4KRTW5rTihC1DLpcH7qOByDCBxTAMBgNV
HRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDATBgNVHSUEDDAKBggrBgEFBQcDATA7
BgNVHREENDAygg93d3cuZXhhbXBsZS5jb22CDSouZXhhbXBsZS5jb22HECABDbgA
AAAAAAAAAAAAAAEwHQYDVR0OBBYEFOS9ow7F88Jn3PprM0YpxvzNAaF+MDQGCCsG
AQUFBwEBBCgwJjAkBggrBgEFBQcwAYYYaHR0cDovL29jc3AuZXhhbXBsZS5jb20v
MAUGAytlcANBAP3h1FvTA2AI7otjGUa0HmAdZOdzZoiKh7mJu/yJW7SyVaAeqHXf
SPwowiUCXtr5444r52LMDO1EcXbsC5J0cAc=
-----END CERTIFICATE-----
`
  expect(textOf(pem)).toBe(`Certificate:
    Data:
        Version: 3 (0x2)
        Serial Number: 42 (0x2a)
        Signature Algorithm: ED25519
        Issuer: C = DE, O = "Example, Inc.", CN = www.example.com
        Validity
            Not Before: Nov 21 11:37:49 2026 GMT
            Not After : Nov 18 11:37:49 2036 GMT
        Subject: C = DE, O = "Example, Inc.", CN = www.example.com
        Subject Public Key Info:
            Public Key Algorithm: ED25519
                ED25519 Public-Key:
                pub:
                    cb:17:05:5d:96:69:b6:87:3f:bf:2a:1a:2c:2c:3c:
                    61:df:74:38:29:14:d6:e6:b4:e2:84:2d:43:2e:97:
                    07:ee
        X509v3 extensions:
            X509v3 Basic Constraints: critical
                CA:FALSE
            X509v3 Key Usage: critical
                Digital Signature
            X509v3 Extended Key Usage:${' '}
                TLS Web Server Authentication
            X509v3 Subject Alternative Name:${' '}
                DNS:www.example.com, DNS:*.example.com, IP Address:2001:DB8:0:0:0:0:0:1
            X509v3 Subject Key Identifier:${' '}
                E4:BD:A3:0E:C5:F3:C2:67:DC:FA:6B:33:46:29:C6:FC:CD:01:A1:7E
            Authority Information Access:${' '}
                OCSP - URI:http://ocsp.example.com/
    Signature Algorithm: ED25519
    Signature Value:
        fd:e1:d4:5b:d3:03:60:08:ee:8b:63:19:46:b4:1e:60:1d:64:
        e7:73:66:88:8a:87:b9:89:bb:fc:89:5b:b4:b2:55:a0:1e:a8:
        75:df:48:fc:28:c2:25:02:5e:da:f9:e3:8e:2b:e7:62:cc:0c:
        ed:44:71:76:ec:0b:92:74:70:07
`)
})

const directoryName = '[who]\nC=DE\nO=Authority, Inc.\nCN=Zoë'

const commonExtensions = `basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectKeyIdentifier=hash
subjectAltName=DNS:example.com,DNS:*.example.com,IP:10.0.0.1,IP:2001:db8::1,email:ann@example.com,URI:https://example.com/,RID:1.2.3.4,otherName:msUPN;UTF8:ann,otherName:1.2.3.4;UTF8:x,dirName:who
issuerAltName=DNS:authority.example
authorityInfoAccess=OCSP;URI:http://ocsp.example,caIssuers;URI:http://authority.example/a.cer
crlDistributionPoints=URI:http://authority.example/a.crl,URI:http://authority.example/b.crl
freshestCRL=URI:http://authority.example/c.crl
certificatePolicies=2.23.140.1.2.2,@policy
${directoryName}
[policy]
policyIdentifier=1.3.5.9
CPS.1="http://authority.example/statement"
userNotice.1=@notice
[notice]
explicitText="Read this"
organization="Authority"
noticeNumbers=1,2,3`

const logs = '1.3.6.1.4.1.11129.2.4.2'

const hex = (octets: number, width = 2) => octets.toString(16).padStart(width, '0')

/** A list with one signed certificate timestamp, in hex; `extensions` include their length. */
const timestamp = (extensions: string) => {
  const entry = `00${'ab'.repeat(32)}0000018cc251f47b${extensions}04030014${'07'.repeat(20)}`
  const size = entry.length / 2
  return `04${hex(size + 4)}${hex(size + 2, 4)}${hex(size, 4)}${entry}`
}

/** Lines of extension sections by kind; a certificate has one of each. Many are malformed. */
const variants: Readonly<Record<string, readonly string[]>> = {
  basicConstraints: [
    'basicConstraints=critical,CA:TRUE',
    'basicConstraints=CA:TRUE,pathlen:0',
    '2.5.29.19=DER:3003020180',
    '2.5.29.19=DER:30160101FF02110080000000000000000000000000000000',
    '2.5.29.19=DER:30150101FF02107FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
    '2.5.29.19=DER:3000',
  ],
  keyUsage: [
    'keyUsage=keyAgreement,encipherOnly,decipherOnly',
    '2.5.29.15=DER:03020780',
    '2.5.29.15=DER:0307',
    '2.5.29.15=DER:030100',
    '2.5.29.15=DER:03020700',
  ],
  purposes: ['extendedKeyUsage=serverAuth,1.2.3.4,msSGC,anyExtendedKeyUsage', '2.5.29.37=DER:3000'],
  authorityKey: [
    '2.5.29.35=DER:3000',
    '2.5.29.35=DER:300482020102',
    '2.5.29.35=DER:30078001018202FF02',
    '2.5.29.35=DER:300480020102',
  ],
  subjectKey: ['2.5.29.14=DER:0400', '2.5.29.14=DER:010203', '2.5.29.14=DER:040101FF'],
  alternativeNames: [
    '2.5.29.17=DER:3000',
    '2.5.29.17=DER:30058203610062',
    '2.5.29.17=DER:30058203610A62',
    '2.5.29.17=DER:30058703010203',
    '2.5.29.17=DER:3002A300',
    '2.5.29.17=DER:3002A500',
  ],
  issuerNames: [
    'issuerAltName=IP:127.0.0.1,IP:::1,IP:::ffff:1.2.3.4',
    '2.5.29.18=DER:3003870101',
    '2.5.29.18=DER:3005870401020304',
  ],
  points: [
    'crlDistributionPoints=points',
    'crlDistributionPoints=relative',
    '2.5.29.31=DER:3000',
    '2.5.29.31=DER:30023000',
    '2.5.29.31=DER:30053003810100',
  ],
  access: ['1.3.6.1.5.5.7.1.1=DER:3000'],
  subjectAccess: ['subjectInfoAccess=caRepository;URI:http://a.example'],
  policies: [
    'certificatePolicies=2.5.29.32.0,2.23.140.1.2.1',
    '2.5.29.32=DER:3000',
    '2.5.29.32=DER:300A300806042A0304053000',
    '2.5.29.32=DER:3014301206022A03300C300A06032A03040C03616263',
  ],
  policyRules: ['policyConstraints=requireExplicitPolicy:3,inhibitPolicyMapping:0', '2.5.29.36=DER:3000'],
  anyPolicy: ['inhibitAnyPolicy=2', '2.5.29.54=DER:0201FB'],
  mappings: ['policyMappings=1.2.3.4:1.2.3.5,1.2.3.6:1.2.3.7', '2.5.29.33=DER:3000'],
  constraints: [
    'nameConstraints=permitted;DNS:.example,permitted;IP:10.0.0.0/255.0.0.0,excluded;email:.com,excluded;IP:2001:db8::/ffff:ffff::',
    '2.5.29.30=DER:3000',
    '2.5.29.30=DER:3008A006300487020A00',
  ],
  features: [
    'tlsfeature=status_request,status_request_v2',
    '1.3.6.1.5.5.7.1.24=DER:3003020109',
    '1.3.6.1.5.5.7.1.24=DER:3000',
  ],
  netscapeKind: ['nsCertType=client,server,objCA'],
  netscapeComment: ['nsComment="a comment"', '2.16.840.1.113730.1.13=DER:16020A41'],
  netscapeBase: ['nsBaseUrl=http://a.example'],
  periods: [
    '2.5.29.16=DER:3022800F32303234303130313030303030305A810F32303235303130313030303030305A',
    '2.5.29.16=DER:3000',
  ],
  noCheck: ['noCheck=ignored'],
  poison: ['1.3.6.1.4.1.11129.2.4.3=critical,ASN1:NULL'],
  unknown: ['1.2.3.4=ASN1:UTF8String:text', '1.2.3.4=critical,DER:0001410A7FC8'],
  ofMicrosoft: ['1.3.6.1.4.1.311.21.7=DER:3000'],
  timestamps: [
    `${logs}=DER:${timestamp('0000')}`,
    `${logs}=DER:${timestamp('0003070809')}`,
    `${logs}=DER:0402`,
    `${logs}=DER:04050003000101`,
  ],
}

const sections = `
[points]
fullname=URI:http://a.example,URI:http://b.example
reasons=keyCompromise,CACompromise
CRLissuer=dirName:who
[relative]
relativename=one
[one]
CN=Zoë
${directoryName}`

describe.skipIf(!hasOpenssl || !hasReferenceTextForm)('text equals the output of openssl', () => {
  const factory = certificateFactory({ reuseKey: true })
  afterAll(factory.remove)

  const compare = (options: CertificateOptions) => {
    const { certificate } = factory.create(options)
    expect(textOf(certificate)).toBe(factory.opensslOutput(certificate, '-text'))
  }

  test('root certificates of Node.js', () => {
    // Every fourth one: all of them take about 8 seconds.
    const some = rootCertificates.filter((_, index) => index % 4 === 0)
    expect(some.length).toBeGreaterThan(20)
    for (const pem of some) expect(textOf(pem)).toBe(factory.opensslOutput(pem, '-text'))
  }, 30_000)

  test.each([
    ['RSA 2048', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'], []],
    ['RSA 1024 and SHA-1', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'], ['-sha1']],
    [
      'RSA 1536, exponent 3',
      ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1536', '-pkeyopt', 'rsa_keygen_pubexp:3'],
      ['-sha384'],
    ],
    [
      'RSA signed with PSS',
      ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
      ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'],
    ],
    ['RSA-PSS', ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:1024'], ['-sha512']],
    [
      'RSA-PSS with restrictions',
      [
        '-algorithm',
        'RSA-PSS',
        '-pkeyopt',
        'rsa_keygen_bits:1024',
        '-pkeyopt',
        'rsa_pss_keygen_md:sha256',
        '-pkeyopt',
        'rsa_pss_keygen_mgf1_md:sha384',
        '-pkeyopt',
        'rsa_pss_keygen_saltlen:24',
      ],
      [],
    ],
    ['P-384', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'], ['-sha384']],
    ['P-521', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'], ['-sha512']],
    ['secp256k1', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'], []],
    ['brainpoolP256r1', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:brainpoolP256r1'], []],
    ['Ed25519', ['-algorithm', 'ED25519'], []],
    ['Ed448', ['-algorithm', 'ED448'], []],
  ])('key and signature: %s', (_name, key, options) => {
    compare({ key, options })
  })

  test.each([
    ['plain', '/C=DE/ST=Berlin/L=Berlin/O=Example GmbH/OU=Web/CN=www.example.com/emailAddress=ann@example.com'],
    ['special characters', '/O=Example, Inc./OU=a;b<c>d"e\\\\f#g/CN=#first'],
    ['leading and trailing spaces', '/O= before/OU=after /CN= '],
    ['multi-valued relative names', '/O=x+OU=y, z/CN=a+UID=b'],
    ['characters outside ASCII', '/CN=Zoë Ångström 東京 🦊'],
    [
      'rare attributes',
      '/jurisdictionC=DE/businessCategory=Private Organization/serialNumber=HRB 1/street=Weg 1/postalCode=1/DC=org/SN=x/GN=y',
    ],
  ])('name: %s', (_name, subject) => {
    compare({ subject })
  })

  test.each(['default', 'pkix', 'utf8only', 'nombstr'])('name with string mask %s', (mask) => {
    compare({ subject: '/O=Zoë/CN=example.com', request: `string_mask=${mask}` })
  })

  test.each([
    ['1', '0'],
    ['2^63 - 1', '0x7fffffffffffffff'],
    ['2^63', '0x8000000000000000'],
    ['twenty octets', '0x00f1f2f3f4f5f6f7f8f9f0f1f2f3f4f5f6f7f8f9'],
    ['negative', '-5'],
    ['negative, 80 bits', '-0x7fffffffffffffffffff'],
  ])('serial number: %s', (_name, serial) => {
    compare({ serial })
  })

  test.each([
    ['1950 as UTCTime, 2049 as GeneralizedTime', ['500101000000Z', '20490101000000Z']],
    ['2050 to 9999', ['20500101000000Z', '99991231235959Z']],
  ] as const)('validity: %s', (_name, validity) => {
    compare({ validity })
  })

  test('version 1, and a certificate with another issuer', () => {
    compare({ extensions: '' })
    const issuer = factory.create({ subject: '/O=Authority/CN=Above', extensions: 'basicConstraints=critical,CA:TRUE' })
    compare({ issuer, extensions: 'authorityKeyIdentifier=keyid,issuer:always\nsubjectKeyIdentifier=hash' })
  })

  test('all common extensions', () => {
    compare({ extensions: commonExtensions })
  })

  // Certificate n has the n-th variant of every kind.
  const rounds = Math.max(...Object.values(variants).map((lines) => lines.length))
  test.each(Array.from({ length: rounds }, (_, round) => [round + 1]))('unusual extensions, round %i', (round) => {
    const lines = Object.values(variants).flatMap((kind) => kind[round - 1] ?? [])
    compare({ extensions: [...lines, sections].join('\n') })
  })
})
