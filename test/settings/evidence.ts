import type { SettingName } from '../../packages/core/src/features/administration/settings/definition.ts'

/** Settings whose effect needs more than a world, with the test that observes it. */
export const observedElsewhere: Partial<Record<SettingName, string>> = {
  dnsRebindingProtectionEnabled: 'packages/core/src/features/administration/settings/outbound-rules.test.ts',
  receiveMaxInputSize: 'test/git/git-over-http.test.ts',
  ...Object.fromEntries(
    [
      'signupEnabled',
      'requireAdminApprovalAfterUserSignup',
      'afterSignUpText',
      'emailRestrictions',
      'emailRestrictionsEnabled',
      'deactivateDormantUsers',
      'deactivateDormantUsersPeriod',
    ].map((name) => [name, 'test/pages/sign-up.test.ts']),
  ),
  containerRegistryTokenExpireDelay: 'test/registry/token-service.test.ts',
  ...Object.fromEntries(
    [
      'externalAuthorizationServiceEnabled',
      'externalAuthorizationServiceDefaultLabel',
      'externalAuthorizationServiceTimeout',
      'externalAuthorizationServiceUrl',
      'externalAuthClientCert',
      'externalAuthClientKey',
      'externalAuthClientKeyPass',
    ].map((name) => [name, 'test/services/external-authorization.test.ts']),
  ),
  spamfilterEnabled: 'test/services/spam-filter.test.ts',
  spamfilterApiKey: 'test/services/spam-filter.test.ts',
  enforceTerms: 'test/pages/terms.test.ts',
  terms: 'test/pages/terms.test.ts',
}

/** The test that observes the effect of a setting. */
export const testOf = (name: SettingName): string => observedElsewhere[name] ?? 'test/settings/effects.test.ts'
