import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import { getSiteUrl, sendsMail } from '../../administration/mail/compose-mail.ts'
import { openLink } from '../../administration/mail/sealed-link.ts'
import { findUserIdByEmail } from '../users/email-addresses.ts'
import { changePassword, NewPassword } from '../users/new-password.ts'
import { assertAddressLimit } from './address-limit.ts'
import { findAccount, ResetLink } from './reset-link.ts'

const limitMessage = 'Too many requests for a new password. Try again later.'

/** Operations of users who have forgotten their password. */
export const resetOperations = {
  /**
   * Mails a link to set a new password to the user with this address. The result is the same without such a user, and for users who may
   * not sign in. At most 5 requests per minute for an address and 30 for a network are allowed over the network.
   */
  requestReset: command({
    on: instance,
    can: 'password.verify',
    serializes: 'user',
    input: {
      /** A confirmed address of the user, regardless of case. */
      email: v.pipe(v.string(), v.maxLength(255)),
    },
    limit: {
      name: 'password_reset',
      getLimit: () => 5,
      getKey: (_, { email }) => `email:${email.toLowerCase()}`,
      message: limitMessage,
    },
    async run(ctx, { email }) {
      await assertAddressLimit(ctx)
      const siteUrl = getSiteUrl(ctx)
      const userId = sendsMail(ctx) && siteUrl !== null ? await findUserIdByEmail(ctx, email.trim()) : undefined
      if (userId === undefined) return
      await ctx.enqueue('passwords.mailReset', { userId, email: email.trim(), siteUrl, requestedAt: ctx.now })
    },
  }),

  /** Sets the password of the user of a link, which is valid for six hours and until the password changes. */
  reset: command({
    on: instance,
    can: 'password.verify',
    input: {
      /** The secret part of the link. */
      key: v.pipe(v.string(), v.maxLength(500)),
      /** The new password: 8 to 128 characters. */
      password: NewPassword,
    },
    async run(ctx, { key, password }): Promise<void | Deferred<void>> {
      const [userId, changedAt, expiresAt] = openLink(ctx, 'resetPassword', ResetLink, key)
      const account = await findAccount(ctx, userId)
      if (account?.changedAt !== changedAt || expiresAt <= ctx.now) throw notFound()
      return changePassword(ctx, userId, { password }, undefined)
    },
  }),
}
