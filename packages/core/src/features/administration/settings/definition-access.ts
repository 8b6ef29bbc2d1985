import { decimal, flag, integer, list, longText, optionalChoice, secret, text } from './setting.ts'

const authorizationTraits = {
  effect:
    'Each access of a user to a project, which the service permits (200) or denies (401, 403) for six hours; other responses, and none, ' +
    'deny it once. Lists and searches across projects are 403, and callers other than users are denied.',
} as const

const certificateTraits = { effect: 'Requests to the authorization service over HTTPS.' } as const

/** The external authorization service and the client certificate for it. */
export const authorizationSettings = {
  externalAuthorizationServiceEnabled: flag(
    false,
    'An external service authorizes access to projects.',
    authorizationTraits,
  ),
  externalAuthorizationServiceDefaultLabel: text(
    null,
    'Classification label for projects without one of their own.',
    authorizationTraits,
  ),
  externalAuthorizationServiceTimeout: decimal(
    0.5,
    'Timeout of requests to the authorization service, in seconds (at most 10).',
    authorizationTraits,
  ),
  externalAuthorizationServiceUrl: text(null, 'URL of the authorization service.', {
    effect:
      'Where requests are sent, if `allow_local_requests_from_system_hooks` and the other rules for outbound requests permit it.',
  }),
  externalAuthClientCert: longText(null, 'Client certificate (PEM) for the authorization service.', certificateTraits),
  externalAuthClientKey: secret(longText(null, 'Private key (PEM) of the client certificate.', certificateTraits)),
  externalAuthClientKeyPass: secret(text(null, 'Passphrase of the private key, if it has one.', certificateTraits)),
}

const describeKeyRestriction = (kind: string) =>
  `Minimum size of ${kind} keys in bits; 0 allows every size, -1 forbids ${kind} keys.`

const newKeyTraits = { effect: 'SSH keys that can be added as user keys and deploy keys.' } as const

/** Sign-in, terms of service, Git protocols and SSH keys. */
export const accessSettings = {
  passwordAuthenticationEnabledForWeb: flag(true, 'Users can sign in to the web interface with a password.', {
    effect: 'The sign-in page has no form for a password, and none is accepted.',
  }),
  disabledOauthSignInSources: list([], 'OAuth providers that cannot be used to sign in.', {
    noEffect: 'The host or the server option configures the only provider; leave it out to disable it.',
  }),
  userOauthApplications: flag(true, 'Users can register OAuth applications.', {
    noEffect: 'Only administrators register applications.',
  }),
  sessionExpireDelay: integer(10_080, 'Lifetime of a web session in minutes.', {
    effect:
      'How long a browser stays signed in; 0 until it closes, at most 7 days. Sessions that exist keep their end.',
  }),
  enforceTerms: flag(false, 'All users must accept the terms of service.', {
    effect:
      'Calls of users are 403 until they accept the terms at `/-/users/terms`, to which pages lead, except of the administrator who sets it.',
  }),
  terms: longText(null, 'The terms of service, as Markdown.', {
    effect: 'The page `/-/users/terms`. Users accept changed terms again.',
  }),
  enabledGitAccessProtocol: optionalChoice('ssh', 'http', 'nil')(
    null,
    'The only allowed protocol for Git; null (or the string `nil`) allows both.',
    {
      effect: '`ssh` refuses git over HTTP, `http` git over SSH.',
    },
  ),
  authorizedKeysEnabled: flag(true, 'SSH keys are also written to the `authorized_keys` file.', {
    noEffect: 'No such file is written: the SSH server of the platform reads keys from the database.',
  }),
  userShowAddSshKeyMessage: flag(true, 'Users without an SSH key see a message that they need one to push over SSH.', {
    effect: 'The page of a project, for users who can push, while the server offers git over SSH.',
  }),
  rsaKeyRestriction: integer(0, describeKeyRestriction('RSA'), newKeyTraits),
  dsaKeyRestriction: integer(0, describeKeyRestriction('DSA'), newKeyTraits),
  ecdsaKeyRestriction: integer(0, describeKeyRestriction('ECDSA'), newKeyTraits),
  ed25519KeyRestriction: integer(0, describeKeyRestriction('Ed25519'), newKeyTraits),
}
