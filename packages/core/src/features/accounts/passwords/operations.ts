import * as v from 'valibot'
import { account, instance, userEntries } from '../../../access/subjects.ts'
import { lower } from '../../../db/functions.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import type { Appearance } from '../../administration/appearances/appearance.ts'
import { defaultAppearance, findAppearance } from '../../administration/appearances/queries.ts'
import type { BroadcastMessage } from '../../administration/broadcast-messages/broadcast-message.ts'
import { findShownMessages } from '../../administration/broadcast-messages/shown-messages.ts'
import { sendsMail } from '../../administration/mail/compose-mail.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { changePassword, NewPassword, removePassword } from '../users/new-password.ts'
import { matchesPassword } from '../users/password-hash.ts'
import { findUser, getAccountId } from '../users/queries.ts'
import { recordSignIn } from '../users/sign-in.ts'
import { assertAddressLimit, limitMessage } from './address-limit.ts'
import { resetOperations } from './reset-operations.ts'
import { sessionOperations } from './session-operations.ts'
import { signUpOperations } from './sign-up-operations.ts'

/** A user who has signed in with a password. */
export interface PasswordSession {
  /** Id of the user. */
  readonly userId: number
  /** When the password was set, ISO 8601. A session is valid as long as this is the current value. */
  readonly changedAt: string
}

/** The texts and settings of the pages. */
export interface PageSettings
  extends Pick<
    Settings,
    | 'signInText'
    | 'afterSignUpText'
    | 'homePageUrl'
    | 'afterSignOutPath'
    | 'sessionExpireDelay'
    | 'minimumPasswordLength'
    | 'userShowAddSshKeyMessage'
  > {
  /** Texts and colors of the instance. */
  readonly appearance: Appearance
  /** Active messages for the path, newest first, also those that are for users with certain levels only. */
  readonly messages: readonly BroadcastMessage[]
  /** Whether users can sign in with a password: any has one, and the settings permit it. */
  readonly hasPasswords: boolean
  /** Whether visitors can create an account. */
  readonly hasSignUp: boolean
  /** Whether users who have forgotten their password can request a link by e-mail. */
  readonly hasReset: boolean
}

const loginLimit = 10

const selectPassword = ({ db }: Context, username: string) =>
  db
    .selectFrom('userPassword as password')
    .innerJoin('user', 'user.id', 'password.userId')
    .where(lower('user.username'), '=', username.toLowerCase())
    .where('user.state', 'in', ['active', 'deactivated'])
    .select(['password.userId', 'password.hash', 'password.changedAt'])

/** Passwords with which users sign in to the pages of a server. Calls of the API are authenticated by tokens. */
export const passwords = {
  ...sessionOperations,
  ...resetOperations,
  ...signUpOperations,

  /**
   * Sets the password of a user. Only a hash is stored (scrypt). Ends the sessions that began with an earlier password. Callers that
   * set the password of the current user check the current one with `verify` before.
   */
  set: command({
    on: account,
    can: 'password.set',
    serializes: 'instance',
    input: {
      /** The password: 8 to 128 characters. */
      password: NewPassword,
    },
    run: async (ctx, { password }, subject): Promise<void | Deferred<void>> =>
      changePassword(ctx, await getAccountId(ctx, subject), { password }, undefined),
  }),

  /** Removes the password of a user, and ends the sessions that began with it; no error if there is none. */
  remove: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    async run(ctx, { user }) {
      const { id } = await findUser(ctx, user)
      await removePassword(ctx, id)
    },
  }),

  /**
   * Checks the password of a user, and records the sign-in; undefined if it is wrong, and for users who may not sign in. At most 10 attempts per minute
   * for a user and 30 for a network are allowed over the network. Fails with `forbidden` while the setting
   * `passwordAuthenticationEnabledForWeb` is off.
   */
  verify: command({
    on: instance,
    can: 'password.verify',
    serializes: 'user',
    input: {
      /** Username, case-insensitive. */
      username: v.pipe(v.string(), v.maxLength(255)),
      /** The password to check. */
      password: v.pipe(v.string(), v.maxLength(1_000)),
    },
    limit: {
      name: 'sign_in',
      getLimit: () => loginLimit,
      getKey: (_, { username }) => `user:${username.toLowerCase()}`,
      message: limitMessage,
    },
    async run(ctx, { username, password }) {
      const { passwordAuthenticationEnabledForWeb: isPermitted } = await getSettings(ctx)
      if (!isPermitted) throw forbidden('Passwords are turned off')
      await assertAddressLimit(ctx)
      const row = await selectPassword(ctx, username).executeTakeFirst()
      return afterTransaction(async ({ write }): Promise<PasswordSession | undefined> => {
        const isCorrect = await matchesPassword(password, row?.hash, ctx.passwordCost)
        if (!row || !isCorrect) return undefined
        await write((later) => recordSignIn(later, row.userId))
        return { userId: row.userId, changedAt: row.changedAt }
      })
    },
  }),

  /** Gets what the pages need before a user is known: the texts of the instance, and the settings that the pages apply. */
  getPageSettings: query({
    on: instance,
    can: 'password.verify',
    input: {
      /** Path of the page, for the messages that it shows. Default: the first page. */
      path: v.optional(v.pipe(v.string(), v.maxLength(8_192)), '/'),
    },
    async run(ctx, { path }): Promise<PageSettings> {
      const first = ctx.db.selectFrom('userPassword').select('userId').limit(1)
      const [settings, appearance, messages, user] = await awaitAll([
        getSettings(ctx),
        findAppearance(ctx),
        findShownMessages(ctx, path),
        first.executeTakeFirst(),
      ])
      const { passwordAuthenticationEnabledForWeb: isPermitted } = settings
      return {
        hasPasswords: isPermitted && user !== undefined,
        hasSignUp: isPermitted && settings.signupEnabled,
        hasReset: isPermitted && sendsMail(ctx),
        appearance: appearance ?? defaultAppearance,
        messages,
        signInText: settings.signInText,
        afterSignUpText: settings.afterSignUpText,
        homePageUrl: settings.homePageUrl,
        afterSignOutPath: settings.afterSignOutPath,
        sessionExpireDelay: settings.sessionExpireDelay,
        minimumPasswordLength: settings.minimumPasswordLength,
        userShowAddSshKeyMessage: settings.userShowAddSshKeyMessage,
      }
    },
  }),
}
