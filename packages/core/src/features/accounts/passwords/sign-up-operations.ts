import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import { signUpEmailProblem } from '../../administration/settings/domain-list.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { createUser } from '../users/mutations.ts'
import { changePassword, NewPassword } from '../users/new-password.ts'
import { assertAddressLimit } from './address-limit.ts'

/** An account that a visitor has created. */
export interface SignedUpUser {
  /** Name of the user in URLs and mentions. */
  readonly username: string
  /** Whether the user can sign in only after an administrator has approved the account. */
  readonly pendingApproval: boolean
}

/** Operations of visitors without an account. */
export const signUpOperations = {
  /**
   * Creates an account with a password for a visitor, if the settings permit it. At most 30 accounts and sign-ins per minute are allowed for a
   * network.
   *
   * @throws PlatformError `forbidden` while sign-up is disabled, `invalid` for an invalid field, `conflict` when the username or the
   * e-mail is taken
   */
  createAccount: command({
    on: instance,
    can: 'password.verify',
    serializes: 'instance',
    input: {
      /** As in `users.create`. */
      username: v.string(),
      /** Display name, not blank. */
      name: v.pipe(v.string(), v.maxLength(255)),
      /** At most 255 characters, unique regardless of case, and permitted by the settings. */
      email: v.string(),
      /** The password: 8 to 128 characters, with the rules of the settings. */
      password: NewPassword,
    },
    async run(ctx, { password, ...profile }): Promise<SignedUpUser | Deferred<SignedUpUser>> {
      const settings = await getSettings(ctx)
      if (!settings.signupEnabled || !settings.passwordAuthenticationEnabledForWeb)
        throw forbidden('Sign-up is turned off')
      await assertAddressLimit(ctx)
      const problem = signUpEmailProblem(profile.email, settings)
      if (problem !== undefined) throw invalid({ email: [problem] })
      const pendingApproval = settings.requireAdminApprovalAfterUserSignup
      const { id, username } = await createUser(ctx, { ...profile, pendingApproval })
      return changePassword(ctx, id, { password }, { username, pendingApproval })
    },
  }),
}
