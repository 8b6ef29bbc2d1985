import { flag, list, longText, optionalChoice, optionalList, whole } from './setting.ts'

const smallestKey = (kind: string) =>
  `Smallest ${kind} key people may add, in bits; 0 allows every size, -1 forbids the kind.`

const newcomers = {
  governs: 'Which addresses an identity provider (SCIM) can create accounts with. Administrators may add anybody.',
} as const

const newKeys = { governs: 'Which SSH keys can be added, of people and for deployments.' } as const

/** Who gets in: sign-up, sign-in, terms of service, Git protocols and keys. */
export const accessSettings = {
  signupEnabled: flag(true, 'People can create their own accounts.'),
  domainWhitelist: optionalList(
    null,
    'Only e-mail addresses of these domains can sign up; `*` stands for any text. Null or empty means no restriction.',
    newcomers,
  ),
  domainBlacklist: list([], 'E-mail addresses of these domains cannot sign up; `*` stands for any text.', newcomers),
  domainBlacklistEnabled: flag(false, 'The list of refused e-mail domains is in force.', {
    ...newcomers,
    requires: ['domainBlacklist'],
  }),
  passwordAuthenticationEnabledForWeb: flag(true, 'People can sign in to the web interface with a password.'),
  disabledOauthSignInSources: list([], 'OAuth providers that cannot be used to sign in.'),
  userOauthApplications: flag(true, 'People can register applications that sign in through this service.'),
  sessionExpireDelay: whole(10_080, 'Minutes after which a session of the web interface ends.'),
  enforceTerms: flag(false, 'Everybody must accept the terms of service before going on.', { requires: ['terms'] }),
  terms: longText(null, 'The terms of service, as Markdown.'),
  enabledGitAccessProtocol: optionalChoice(
    'ssh',
    'http',
    'nil',
  )(null, 'The only protocol over which Git may be used; null (or the word `nil`) allows both.'),
  authorizedKeysEnabled: flag(true, 'SSH keys are also written to the authorized-keys file.'),
  userShowAddSshKeyMessage: flag(true, 'People without an SSH key are told that they need one to push over SSH.'),
  rsaKeyRestriction: whole(0, smallestKey('RSA'), newKeys),
  dsaKeyRestriction: whole(0, smallestKey('DSA'), newKeys),
  ecdsaKeyRestriction: whole(0, smallestKey('ECDSA'), newKeys),
  ed25519KeyRestriction: whole(0, smallestKey('Ed25519'), newKeys),
}
