import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { clientCertificateProblems } from './client-certificate.ts'
import { defaultSettings } from './definition.ts'
import { settingProblems } from './setting-rules.ts'

const folder = mkdtempSync(join(tmpdir(), 'client-certificate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

for (const name of ['one', 'two']) {
  const subject = ['-subj', `/CN=${name}.example`, '-days', '2', '-keyout', `${name}.key`, '-out', `${name}.pem`]
  openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject)
}
openssl('pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-in', 'one.key', '-out', 'locked.key', '-passout', 'pass:opensesame')

const [certificate, key, otherKey, lockedKey] = ['one.pem', 'one.key', 'two.key', 'locked.key'].map(read) as [
  string,
  string,
  string,
  string,
]
const noCertificate = 'is not a valid X509 certificate.'
const noKey = 'could not read private key, is the passphrase correct?'

describe('clientCertificateProblems', () => {
  test('accepts a certificate with its key', () => {
    expect(clientCertificateProblems(certificate, key, null)).toEqual({})
  })

  test('accepts a locked key with its passphrase only', () => {
    expect(clientCertificateProblems(certificate, lockedKey, 'opensesame')).toEqual({})
    expect(clientCertificateProblems(certificate, lockedKey, 'wrong')).toEqual({ key: noKey })
    expect(clientCertificateProblems(certificate, lockedKey, null)).toEqual({ key: noKey })
    expect(clientCertificateProblems(certificate, lockedKey, '')).toEqual({ key: noKey })
  })

  test('refuses a key of another certificate', () => {
    expect(clientCertificateProblems(certificate, otherKey, null)).toEqual({
      key: 'private key does not match certificate.',
    })
  })

  test('refuses what is neither', () => {
    expect(clientCertificateProblems('nonsense', 'nonsense', null)).toEqual({ certificate: noCertificate, key: noKey })
    expect(clientCertificateProblems(key, certificate, null)).toEqual({ certificate: noCertificate, key: noKey })
  })
})

describe('the settings', () => {
  const problemsOf = (change: Parameters<typeof settingProblems>[1], stored = {}) =>
    settingProblems({ ...defaultSettings(), ...stored, ...change } as ReturnType<typeof defaultSettings>, change)

  test('accept a pair', () => {
    expect(problemsOf({ externalAuthClientCert: certificate, externalAuthClientKey: key })).toEqual({})
  })

  test('name the field that is wrong', () => {
    expect(problemsOf({ externalAuthClientCert: 'x', externalAuthClientKey: 'y' })).toEqual({
      externalAuthClientCert: [noCertificate],
      externalAuthClientKey: [noKey],
    })
    expect(problemsOf({ externalAuthClientCert: certificate, externalAuthClientKey: '' })).toEqual({
      externalAuthClientKey: ["can't be blank"],
    })
  })

  test('judge a new key against the stored certificate', () => {
    const stored = { externalAuthClientCert: certificate, externalAuthClientKey: key }
    expect(problemsOf({ externalAuthClientKey: otherKey }, stored)).toEqual({
      externalAuthClientKey: ['private key does not match certificate.'],
    })
    expect(problemsOf({ externalAuthClientCert: null, externalAuthClientKey: null }, stored)).toEqual({})
  })
})
