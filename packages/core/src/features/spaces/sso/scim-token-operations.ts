import * as v from 'valibot'
import { group } from '../../../access/subjects.ts'
import { hashToken } from '../../../access/token-digest.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { generateTokenSecret } from '../../accounts/tokens/token.ts'
import type { CreatedScimToken, ScimToken } from './identity.ts'
import { requireProvider } from './queries.ts'

const tokenInput = {
  /** Id of the token. */
  token: Id,
}

/** Tokens that authenticate the identity provider of a group. */
export const scimTokenOperations = {
  /** Lists the SCIM tokens of a group by id, without their secrets. */
  listTokens: query({
    on: group,
    can: 'sso.manage',
    input: pagingEntries,
    run: (ctx, paging, { group }) =>
      paginate(
        ctx.db
          .selectFrom('scimToken')
          .where('groupId', '=', group.id)
          .select(['id', 'groupId', 'createdAt'])
          .orderBy('id'),
        paging,
        (row): ScimToken => row,
      ),
  }),

  /**
   * Creates a SCIM token, which can only access the users of the group. Only this response contains the `secret`; the
   * platform stores its hash. Fails with `conflict` if another token has the secret.
   */
  createToken: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: {
      /**
       * A fixed value for seed data of tests: 1 to 255 printable ASCII characters without spaces. Default: a random
       * one.
       */
      secret: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
    },
    async run(ctx, { secret = generateTokenSecret(ctx.ports.random) }, { group }): Promise<CreatedScimToken> {
      await requireProvider(ctx, group.id)
      if (!/^[\x21-\x7e]+$/.test(secret))
        throw invalid({ secret: ['can contain only printable ASCII characters without spaces'] })
      const digest = hashToken(secret)
      const existing = await ctx.db.selectFrom('scimToken').where('digest', '=', digest).select('id').executeTakeFirst()
      if (existing) throw conflict('The secret is already used by another token')
      const row = await ctx.db
        .insertInto('scimToken')
        .values({ groupId: group.id, digest, createdAt: ctx.now } satisfies CompleteRow<'scimToken'>)
        .returning(['id', 'groupId', 'createdAt'])
        .executeTakeFirstOrThrow()
      return { ...row, secret }
    },
  }),

  /** Replaces the secret of a SCIM token. The old one is rejected immediately; only this response contains the new one. */
  rotateToken: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: tokenInput,
    async run(ctx, { token }, { group }): Promise<CreatedScimToken> {
      const secret = generateTokenSecret(ctx.ports.random)
      const [row] = await ctx.db
        .updateTable('scimToken')
        .set({ digest: hashToken(secret) })
        .where('id', '=', token)
        .where('groupId', '=', group.id)
        .returning(['id', 'groupId', 'createdAt'])
        .execute()
      if (!row) throw notFound()
      return { ...row, secret }
    },
  }),

  /** Revokes a SCIM token immediately. */
  revokeToken: command({
    on: group,
    can: 'sso.manage',
    serializes: 'instance',
    input: tokenInput,
    async run(ctx, { token }, { group }) {
      const removed = await ctx.db
        .deleteFrom('scimToken')
        .where('id', '=', token)
        .where('groupId', '=', group.id)
        .returning('id')
        .execute()
      if (!removed.length) throw notFound()
    },
  }),
}
