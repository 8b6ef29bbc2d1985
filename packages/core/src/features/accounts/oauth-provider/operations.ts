import { timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import { hashToken } from '../../../access/token-digest.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { textUpTo } from '../../../kernel/text-limits.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { Application } from '../applications/application.ts'
import { selectApplications } from '../applications/rows.ts'
import { selectUsers, toUser } from '../users/queries.ts'
import type { User } from '../users/user.ts'
import { readGroupClaims } from './group-claims.ts'
import { generateKeys, readKeys, storeKeys } from './keys.ts'
import { consumeRecord, findRecord, recordKeys, removeGrantRecords, removeRecord, storeRecord } from './records.ts'

const recordInput = {
  /** Kind of the record, such as `AccessToken`, as `oidc-provider` names its models. */
  model: v.string(),
  /** The secret that identifies the record, such as the token itself; stored as a hash. */
  id: v.string(),
}

const applicationInput = {
  /** Public id of the application, its `client_id`. */
  applicationId: v.string(),
}

/** Storage of an OAuth provider. For the host and the adapter that runs the provider. */
export const oauthProvider = {
  /** Finds an application by its public id; undefined if there is none. */
  findApplication: query({
    on: instance,
    can: 'oauth.provide',
    input: applicationInput,
    async run(ctx, { applicationId }): Promise<Application | undefined> {
      return selectApplications(ctx).where('applicationId', '=', applicationId).executeTakeFirst()
    },
  }),

  /** Finds a user by id, with the e-mail address; undefined if the user was removed. */
  findUser: query({
    on: instance,
    can: 'oauth.provide',
    input: {
      /** Id of the user. */
      user: Id,
    },
    async run(ctx, { user }): Promise<User | undefined> {
      const row = await selectUsers(ctx).where('id', '=', user).executeTakeFirst()
      return row && toUser(await getSettings(ctx))(row)
    },
  }),

  /** Gets the groups of a user for the claims of tokens. */
  getGroupClaims: query({
    on: instance,
    can: 'oauth.provide',
    input: {
      /** Id of the user. */
      user: Id,
    },
    run: (ctx, { user }) => readGroupClaims(ctx, user),
  }),

  /** Checks whether a secret is that of an application. Compares in constant time. */
  checkSecret: query({
    on: instance,
    can: 'oauth.provide',
    input: {
      ...applicationInput,
      /** The secret that the application has sent. */
      secret: v.string(),
    },
    async run(ctx, { applicationId, secret }) {
      const row = await ctx.db
        .selectFrom('oauthApplication')
        .where('applicationId', '=', applicationId)
        .select('secretDigest')
        .executeTakeFirst()
      return row !== undefined && timingSafeEqual(Buffer.from(row.secretDigest), Buffer.from(hashToken(secret)))
    },
  }),

  /** Finds a record that has not expired; undefined if there is none. */
  find: query({
    on: instance,
    can: 'oauth.provide',
    input: {
      /** Kind of the record, as in `store`. */
      model: recordInput.model,
      /** Which id the value is: `id`, `uid` or `userCode`. Default: `id`. */
      key: v.optional(v.picklist(recordKeys), 'id'),
      /** The token, code or other secret that identifies the record. */
      value: v.string(),
    },
    run: (ctx, { model, key, value }) => findRecord(ctx, model, key, value),
  }),

  /** Stores a record, or replaces that with the same model and id. Its ids are stored as hashes, its fields encrypted. */
  store: command({
    on: instance,
    can: 'oauth.provide',
    input: {
      ...recordInput,
      /** The fields of the record, as JSON values. */
      // It repeats parameters of requests, and a URL has at most 8 KiB.
      payload: v.record(textUpTo(16_384), v.unknown()),
      /** Seconds until the record expires. */
      expiresIn: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10 * 366 * 86_400)),
      /** Id of its user. Removing the user removes it. */
      userId: v.optional(Id),
      /** Public id of the application to which it belongs. Removing the application removes it. */
      applicationId: v.optional(v.string()),
      /** Id of the grant to which it belongs. */
      grant: v.optional(v.string()),
      /** Second id of a session. */
      uid: v.optional(v.string()),
      /** Code that the user enters for a device. */
      userCode: v.optional(v.string()),
      /** Scopes of a token, separated by blanks. */
      scope: v.optional(v.string()),
    },
    run: storeRecord,
  }),

  /** Marks a record as used. Returns false if it was used before or is missing. */
  consume: command({
    on: instance,
    can: 'oauth.provide',
    input: recordInput,
    run: (ctx, { model, id }) => consumeRecord(ctx, model, id),
  }),

  /** Removes a record; no error if it is missing. */
  remove: command({
    on: instance,
    can: 'oauth.provide',
    input: recordInput,
    run: (ctx, { model, id }) => removeRecord(ctx, model, id),
  }),

  /** Removes all codes and tokens of a grant. */
  removeGrant: command({
    on: instance,
    can: 'oauth.provide',
    input: {
      /** Id of the grant, as in `store`. */
      grant: v.string(),
    },
    run: (ctx, { grant }) => removeGrantRecords(ctx, grant),
  }),

  /**
   * Gets the keys of the provider, generated by the first call and stored encrypted.
   *
   * @throws PlatformError `unavailable` if the platform has no key to encrypt with
   */
  getKeys: command({
    on: instance,
    can: 'oauth.provide',
    async run(ctx) {
      const stored = await readKeys(ctx)
      if (stored) return stored
      return afterTransaction(async ({ write }) => {
        const generated = await generateKeys(ctx)
        return write((inner) => storeKeys(inner, generated))
      })
    },
  }),
}
