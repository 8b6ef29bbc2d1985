import { describe, expect, test } from 'vitest'
import { defaultSettings, type SettingsChange } from './definition.ts'
import { findSettingProblems } from './setting-rules.ts'

const problemsOf = (change: SettingsChange, stored: SettingsChange = {}) =>
  findSettingProblems({ ...defaultSettings(), ...stored, ...change } as ReturnType<typeof defaultSettings>, change)

const scheme = 'is blocked: Only allowed schemes are http, https'

describe('findSettingProblems', () => {
  test('accepts the defaults', () => {
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...writable } = defaultSettings()
    expect(problemsOf(writable)).toEqual({})
  })

  test.each<[SettingsChange, Record<string, string[]>]>([
    [{ homePageUrl: 'javascript:alert(1)' }, { homePageUrl: [scheme] }],
    [{ afterSignOutPath: '/users/sign_in' }, { afterSignOutPath: [scheme] }],
    [{ afterSignOutPath: 'http://' }, { afterSignOutPath: ['is blocked: URI is invalid'] }],
    [{ diagramtoolUrl: 'data:text/html,x' }, { diagramtoolUrl: [scheme] }],
    [{ assetProxyUrl: 'ftp://a.example' }, { assetProxyUrl: [scheme] }],
    [{ externalAuthorizationServiceUrl: 'ssh://a.example' }, { externalAuthorizationServiceUrl: [scheme] }],
    [{ searchengineUrl: 'http://a:9200, file:///etc' }, { searchengineUrl: [scheme] }],
    [{ adminNotificationEmail: 'nobody' }, { adminNotificationEmail: ['is invalid'] }],
    [{ adminNotificationEmail: 'a@b@c' }, { adminNotificationEmail: ['is invalid'] }],
    [{ commitEmailHostname: 'a@b.example' }, { commitEmailHostname: ['is invalid'] }],
    [{ sessionExpireDelay: -1 }, { sessionExpireDelay: ['must be greater than or equal to 0'] }],
    [{ terminalMaxSessionTime: -1 }, { terminalMaxSessionTime: ['must be greater than or equal to 0'] }],
    [{ maxAttachmentSize: 0 }, { maxAttachmentSize: ['must be greater than 0'] }],
    [{ containerRegistryTokenExpireDelay: 0 }, { containerRegistryTokenExpireDelay: ['must be greater than 0'] }],
    [{ pollingIntervalMultiplier: -0.1 }, { pollingIntervalMultiplier: ['must be greater than or equal to 0'] }],
    [{ diffMaxPatchBytes: 102_399 }, { diffMaxPatchBytes: ['must be greater than or equal to 102400'] }],
    [{ diffMaxPatchBytes: 512_001 }, { diffMaxPatchBytes: ['must be less than or equal to 512000'] }],
    [{ localMarkdownVersion: 65_536 }, { localMarkdownVersion: ['must be less than 65536'] }],
    [{ deletionAdjournedPeriod: 91 }, { deletionAdjournedPeriod: ['must be less than or equal to 90'] }],
    [{ defaultArtifactsExpireIn: 'soon' }, { defaultArtifactsExpireIn: ['is not a correct duration'] }],
    [{ defaultArtifactsExpireIn: ' ' }, { defaultArtifactsExpireIn: ["can't be blank"] }],
    [{ archiveBuildsInHumanReadable: 'soon' }, { archiveBuildsInHumanReadable: ['is not a correct duration'] }],
    [
      { archiveBuildsInHumanReadable: '23 hours' },
      { archiveBuildsInSeconds: ['must be greater than or equal to 86400'] },
    ],
    [{ repositoryStorages: [] }, { repositoryStorages: ["can't be blank"] }],
    [
      { rsaKeyRestriction: 512 },
      { rsaKeyRestriction: ['must be forbidden, allowed, or one of these sizes: 1024, 2048, 3072, or 4096'] },
    ],
    [
      { ed25519KeyRestriction: -2 },
      { ed25519KeyRestriction: ['must be forbidden, allowed, or one of these sizes: 256'] },
    ],
    [{ enforceTerms: true, terms: ' ' }, { terms: ['You need to set terms to be enforced'] }],
    [
      { domainBlacklistEnabled: true, domainBlacklist: [] },
      { domainBlacklist: ['Domain blacklist cannot be empty if Blacklist is enabled.'] },
    ],
    [{ spamfilterEnabled: true, spamfilterApiKey: '' }, { spamfilterApiKey: ["can't be blank"] }],
    [{ assetProxyEnabled: true, assetProxyUrl: null }, { assetProxyUrl: ["can't be blank"] }],
    [
      {
        externalAuthorizationServiceEnabled: true,
        externalAuthorizationServiceDefaultLabel: '',
        externalAuthorizationServiceUrl: 'https://authz.example',
        externalAuthorizationServiceTimeout: 0,
      },
      {
        externalAuthorizationServiceDefaultLabel: ["can't be blank"],
        externalAuthorizationServiceTimeout: ['must be greater than 0'],
      },
    ],
    [
      { externalAuthorizationServiceTimeout: 10.5 },
      { externalAuthorizationServiceTimeout: ['must be less than or equal to 10'] },
    ],
  ])('reports %j as %j', (change, problems) => {
    expect(problemsOf(change)).toEqual(problems)
  })

  test.each<SettingsChange>([
    { homePageUrl: 'https://a.example/welcome?x=1' },
    { homePageUrl: '', afterSignOutPath: null, adminNotificationEmail: '' },
    { adminNotificationEmail: 'abuse@a.example', commitEmailHostname: 'mail.a.example' },
    { diffMaxPatchBytes: 512_000, externalAuthorizationServiceTimeout: 10, sessionExpireDelay: 0 },
    { defaultArtifactsExpireIn: '0', archiveBuildsInHumanReadable: '' },
    { archiveBuildsInHumanReadable: '1 day' },
    { archiveBuildsInHumanReadable: '24:00:00' },
    { rsaKeyRestriction: 4096, dsaKeyRestriction: -1, ecdsaKeyRestriction: 521, ed25519KeyRestriction: 256 },
    { enforceTerms: true, terms: 'Be kind.' },
    { searchengineUrl: 'http://a:9200, https://b:9200' },
    { searchengineUrl: null },
    { externalAuthClientCert: '' },
  ])('accepts %j', (change) => {
    expect(problemsOf(change)).toEqual({})
  })

  test('requires one allowed key type', () => {
    const three = { rsaKeyRestriction: -1, dsaKeyRestriction: -1, ecdsaKeyRestriction: -1 }
    expect(problemsOf(three)).toEqual({})
    expect(problemsOf({ ed25519KeyRestriction: -1 }, three)).toEqual({ allowedKeyTypes: ["can't be blank"] })
  })

  test('checks stored values when a rule uses several settings', () => {
    expect(problemsOf({ terms: null }, { enforceTerms: true, terms: 'Be kind.' })).toHaveProperty('terms')
    expect(problemsOf({ domainBlacklist: [] }, { domainBlacklistEnabled: true })).toHaveProperty('domainBlacklist')
  })

  test('ignores invalid stored values of unchanged settings', () => {
    expect(problemsOf({ signupEnabled: false }, { maxAttachmentSize: 0, enforceTerms: true })).toEqual({})
    expect(problemsOf({ signupEnabled: false, maxAttachmentSize: undefined })).toEqual({})
  })

  test('handles long texts', () => {
    const text = { adminNotificationEmail: `${'@'.repeat(100_000)} `, homePageUrl: `http://${'a.'.repeat(100_000)}` }
    expect(Object.keys(problemsOf(text))).toContain('adminNotificationEmail')
    problemsOf({ searchengineUrl: ','.repeat(100_000), archiveBuildsInHumanReadable: '1 day '.repeat(50_000) })
  })
})

describe('settings that require others', () => {
  test.each<SettingsChange>([
    { spamfilterEnabled: true },
    { assetProxyEnabled: true },
    { domainBlacklistEnabled: true },
    { enforceTerms: true },
    { diagramtoolEnabled: true },
    { externalAuthClientCert: 'PEM' },
    { externalAuthorizationServiceEnabled: true, externalAuthorizationServiceTimeout: 1 },
  ])('accepts %j before the others', (change) => {
    expect(problemsOf(change)).toEqual({})
  })

  test.each<[SettingsChange, SettingsChange]>([
    [{ spamfilterApiKey: '' }, { spamfilterEnabled: true }],
    [{ assetProxyUrl: null }, { assetProxyEnabled: true }],
    [{ externalAuthClientKey: null }, { externalAuthClientCert: 'PEM' }],
    [{ externalAuthorizationServiceUrl: '' }, { externalAuthorizationServiceEnabled: true }],
  ])('rejects the removal %j of what a stored one uses', (change, stored) => {
    expect(Object.keys(problemsOf(change, stored))).toEqual(Object.keys(change))
  })
})
