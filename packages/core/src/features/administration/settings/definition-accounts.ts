import { flag, integer, list, longText, optionalList, text } from './setting.ts'

const signUpAddress = {
  effect:
    'E-mail addresses of visitors who sign up, and of accounts that an identity provider (SCIM) creates. Administrators can use any address.',
} as const

const newPasswords = { effect: 'Passwords that are set from now on, also by administrators.' } as const

const paidPasswords = { ...newPasswords, paid: true } as const

/** Sign-up, passwords, and what new accounts can do. */
export const accountSettings = {
  signupEnabled: flag(false, 'Visitors can create an account.', {
    effect: 'The page `/-/sign_up`, which requires that passwords are enabled, too.',
  }),
  requireAdminApprovalAfterUserSignup: flag(true, 'Accounts of visitors wait until an administrator approves them.', {
    effect: 'Visitors who sign up get the state `blocked_pending_approval`.',
  }),
  afterSignUpText: longText(null, 'Markdown shown after signing up.', { effect: 'The page after the sign-up.' }),
  domainWhitelist: optionalList(
    null,
    'Only e-mail addresses of these domains can sign up; `*` matches any text. Null or empty means no restriction.',
    signUpAddress,
  ),
  domainBlacklist: list([], 'E-mail addresses of these domains cannot sign up; `*` matches any text.', signUpAddress),
  domainBlacklistEnabled: flag(false, 'Enables the list of blocked e-mail domains.', signUpAddress),
  emailRestrictionsEnabled: flag(false, 'Enables the restriction of e-mail addresses that can sign up.', signUpAddress),
  emailRestrictions: text(
    null,
    'E-mail addresses that match this regular expression (RE2) cannot sign up.',
    signUpAddress,
  ),
  minimumPasswordLength: integer(8, 'Minimum number of characters of a password (8 to 128).', newPasswords),
  passwordNumberRequired: flag(false, 'Passwords contain a digit.', paidPasswords),
  passwordLowercaseRequired: flag(false, 'Passwords contain a lowercase letter.', paidPasswords),
  passwordUppercaseRequired: flag(false, 'Passwords contain an uppercase letter.', paidPasswords),
  passwordSymbolRequired: flag(false, 'Passwords contain a character that is no letter and no digit.', paidPasswords),
  userDefaultExternal: flag(false, 'New users are external.', {
    effect: 'Users created without `external`, except administrators and bots.',
  }),
  userDefaultInternalRegex: text(
    null,
    'New users whose e-mail address matches this regular expression (RE2) are not external.',
    { effect: 'Users created without `external` while `user_default_external` is true.' },
  ),
  userDefaultsToPrivateProfile: flag(false, 'New users have a private profile.', {
    effect: 'Users created without `private_profile`.',
  }),
  canCreateGroup: flag(true, 'New users can create top-level groups.', {
    effect: 'The `can_create_group` of users created afterwards.',
  }),
  deactivateDormantUsers: flag(false, 'Users without activity are deactivated.', {
    effect: 'A daily job. Users who sign in with their password are active again.',
  }),
  deactivateDormantUsersPeriod: integer(90, 'Days without activity after which users are deactivated (at least 90).', {
    effect: 'The daily job that deactivates users.',
  }),
}
