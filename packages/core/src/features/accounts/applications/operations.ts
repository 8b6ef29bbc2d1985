import * as v from 'valibot'
import { currentUser, instance } from '../../../access/subjects.ts'
import { hashToken } from '../../../access/token-digest.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { type AuthorizedApplication, generateApplicationSecret, type NewApplication } from './application.ts'
import { removeAuthorization, selectAuthorized } from './authorizations.ts'
import { insertApplication, selectApplications, toApplication } from './rows.ts'

const PrintableText = v.pipe(v.string(), v.minLength(1), v.maxLength(255), v.regex(/^[\x21-\x7e]+$/, 'is invalid'))

/** Applications that users can sign in to with their account, and grant access to the API (OAuth 2.0). */
export const applications = {
  /** Lists the applications, ordered by id, without their secrets. */
  list: query({
    on: instance,
    can: 'application.manage',
    input: pagingEntries,
    run: (ctx, paging) => paginate(selectApplications(ctx).orderBy('id'), paging, toApplication),
  }),

  /**
   * Creates an application. Only a hash of the secret is stored, so only this result contains the secret.
   *
   * @throws PlatformError `conflict` if another application has the id
   */
  create: command({
    on: instance,
    can: 'application.manage',
    input: {
      /** Name that the consent page shows: 1 to 255 characters. */
      name: v.string(),
      /**
       * URIs to which users return after they have signed in, at most 20, separated by line breaks. A request must contain one of
       * them exactly. For programs on the user's device, also with a scheme of their own or on a loopback address.
       */
      redirectUri: v.pipe(v.string(), v.maxLength(50_000)),
      /**
       * Scopes that the application can request, separated by blanks: `api`, `read_api`, `read_user`, `read_repository` and
       * `write_repository` as for personal access tokens, `openid` for an ID token, `profile` and `email` for these data of
       * the user.
       */
      scopes: v.pipe(v.string(), v.maxLength(1_000)),
      /** Whether the application can keep a secret, with which it authenticates. Others have to use PKCE. Default: true. */
      confidential: v.optional(v.boolean(), true),
      /** The public id, 1 to 255 printable ASCII characters without blanks, for tests. Default: 64 random hexadecimal digits. */
      applicationId: v.optional(PrintableText),
      /**
       * The secret, 1 to 255 printable ASCII characters without blanks, for tests. Default: 256 random bits, prefixed with
       * `fgoas-`.
       */
      secret: v.optional(PrintableText),
    },
    run: insertApplication,
  }),

  /** Replaces the secret of an application. The former one is invalid from now on; only this result contains the new one. */
  rotateSecret: command({
    on: instance,
    can: 'application.manage',
    input: {
      /** Id of the application, as `applications.list` returns it. */
      application: Id,
    },
    async run(ctx, { application }): Promise<NewApplication> {
      const row = await selectApplications(ctx).where('id', '=', application).executeTakeFirst()
      if (!row) throw notFound('Application')
      const secret = generateApplicationSecret(ctx.ports.random)
      const secretDigest = hashToken(secret)
      await ctx.db.updateTable('oauthApplication').set({ secretDigest }).where('id', '=', application).execute()
      return { ...toApplication(row), secret }
    },
  }),

  /** Lists the applications that the current user has authorized, ordered by id. */
  listAuthorized: query({
    on: currentUser,
    can: 'application.authorize',
    input: pagingEntries,
    run: (ctx, paging) =>
      paginate(selectAuthorized(ctx).orderBy('oauthApplication.id'), paging, (row): AuthorizedApplication => row),
  }),

  /**
   * Withdraws the authorization of an application by the current user: its tokens are invalid from now on.
   *
   * @throws PlatformError `not_found` for an application that the current user has not authorized
   */
  revoke: command({
    on: currentUser,
    can: 'application.authorize',
    serializes: 'user',
    input: {
      /** Id of the application, as `applications.listAuthorized` returns it. */
      application: Id,
    },
    run: (ctx, { application }) => removeAuthorization(ctx, application),
  }),

  /** Removes an application. Its tokens are invalid from now on. */
  remove: command({
    on: instance,
    can: 'application.manage',
    input: {
      /** Id of the application, as `applications.list` returns it. */
      application: Id,
    },
    async run(ctx, { application }) {
      const row = await selectApplications(ctx).where('id', '=', application).executeTakeFirst()
      if (!row) throw notFound('Application')
      await assertRowUnmodified(ctx, 'oauthApplication', application)
      await ctx.db.deleteFrom('oauthApplication').where('id', '=', application).execute()
    },
  }),
}
