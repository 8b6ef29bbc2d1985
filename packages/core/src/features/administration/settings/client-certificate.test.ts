import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findClientCertificateProblems } from './client-certificate.ts'
import { defaultSettings } from './definition.ts'
import { findSettingProblems } from './setting-rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'client-certificate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

for (const name of ['one', 'two']) {
  const subject = ['-subj', `/CN=${name}.example`, '-days', '2', '-keyout', `${name}.key`, '-out', `${name}.pem`]
  openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject)
}
openssl(
  'pkcs8',
  '-topk8',
  '-v2',
  'aes-256-cbc',
  '-in',
  'one.key',
  '-out',
  'encrypted.key',
  '-passout',
  'pass:opensesame',
)

const [certificate, key, otherKey, encryptedKey] = ['one.pem', 'one.key', 'two.key', 'encrypted.key'].map(read) as [
  string,
  string,
  string,
  string,
]
const noCertificate = 'is not a valid X509 certificate.'
const noKey = 'could not read private key, is the passphrase correct?'

describe('findClientCertificateProblems', () => {
  test('accepts a certificate with its key', () => {
    expect(findClientCertificateProblems(certificate, key, null)).toEqual({})
  })

  test('accepts an encrypted key only with its passphrase', () => {
    expect(findClientCertificateProblems(certificate, encryptedKey, 'opensesame')).toEqual({})
    expect(findClientCertificateProblems(certificate, encryptedKey, 'wrong')).toEqual({ key: noKey })
    expect(findClientCertificateProblems(certificate, encryptedKey, null)).toEqual({ key: noKey })
    expect(findClientCertificateProblems(certificate, encryptedKey, '')).toEqual({ key: noKey })
  })

  test('rejects the key of another certificate', () => {
    expect(findClientCertificateProblems(certificate, otherKey, null)).toEqual({
      key: 'private key does not match certificate.',
    })
  })

  test('rejects texts of another kind', () => {
    expect(findClientCertificateProblems('nonsense', 'nonsense', null)).toEqual({
      certificate: noCertificate,
      key: noKey,
    })
    expect(findClientCertificateProblems(key, certificate, null)).toEqual({ certificate: noCertificate, key: noKey })
  })
})

describe('the settings', () => {
  const problemsOf = (change: Parameters<typeof findSettingProblems>[1], stored = {}) =>
    findSettingProblems({ ...defaultSettings(), ...stored, ...change } as ReturnType<typeof defaultSettings>, change)

  test('accept a certificate with its key', () => {
    expect(problemsOf({ externalAuthClientCert: certificate, externalAuthClientKey: key })).toEqual({})
  })

  test('report the invalid field', () => {
    expect(problemsOf({ externalAuthClientCert: 'x', externalAuthClientKey: 'y' })).toEqual({
      externalAuthClientCert: [noCertificate],
      externalAuthClientKey: [noKey],
    })
    expect(problemsOf({ externalAuthClientCert: certificate, externalAuthClientKey: '' })).toEqual({
      externalAuthClientKey: ["can't be blank"],
    })
  })

  test('compare a new key with the stored certificate', () => {
    const stored = { externalAuthClientCert: certificate, externalAuthClientKey: key }
    expect(problemsOf({ externalAuthClientKey: otherKey }, stored)).toEqual({
      externalAuthClientKey: ['private key does not match certificate.'],
    })
    expect(problemsOf({ externalAuthClientCert: null, externalAuthClientKey: null }, stored)).toEqual({})
  })
})
