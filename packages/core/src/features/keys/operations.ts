import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Id, Instant, instant, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { findUser } from '../accounts/queries.ts'
import { userDetails } from '../profiles/queries.ts'
import { readKey, takenKey } from './adding.ts'
import { fingerprintQuery } from './fingerprint-query.ts'
import type { Key, KeyRecord } from './key.ts'

const columns = ['id', 'title', 'key', 'createdAt', 'expiresAt'] as const

const records = (ctx: Context) => ctx.db.selectFrom('sshKey').select([...columns, 'userId', 'creatorId', 'deploy'])

type Row = Awaited<ReturnType<ReturnType<typeof records>['executeTakeFirstOrThrow']>>

const projectsOf = (ctx: Context, deployKeyId: number) =>
  ctx.db
    .selectFrom('deployKeyProject')
    .where('deployKeyId', '=', deployKeyId)
    .orderBy('id')
    .select(['id', 'deployKeyId', 'projectId', 'createdAt', 'updatedAt', 'canPush'])
    .execute()

const withUser = async (ctx: Context, { userId, creatorId, deploy, ...key }: Row): Promise<KeyRecord> => {
  const ownerId = userId ?? creatorId
  const user = (await userDetails(ctx, [ownerId])).get(ownerId ?? 0) ?? null
  return { ...key, user, ...(deploy && { deployKeysProjects: await projectsOf(ctx, key.id) }) }
}

export const keys = {
  /** A key by id, with everything that is known of its user; a deploy key with the projects that it opens. */
  get: query({
    on: instance,
    can: 'key.manage',
    input: { key: Id },
    async run(ctx, { key }) {
      const row = await records(ctx).where('id', '=', key).executeTakeFirst()
      if (!row) throw notFound()
      return withUser(ctx, row)
    },
  }),

  /** The key with a fingerprint: `SHA256:` and base64 without padding, or MD5 as hexadecimal pairs with colons. */
  find: query({
    on: instance,
    can: 'key.manage',
    input: { fingerprint: v.string() },
    async run(ctx, { fingerprint: text }) {
      const asked = fingerprintQuery(text)
      if (!asked) throw invalid('Failed to return the key')
      const row = await records(ctx).where(asked.algorithm, '=', asked.fingerprint).executeTakeFirst()
      if (!row) throw notFound('Key')
      return withUser(ctx, row)
    },
  }),

  /** Keys of a user. */
  list: query({
    on: instance,
    can: 'key.manage',
    input: { ...paging, user: Reference },
    async run(ctx, { user, ...at }) {
      const { id } = await findUser(ctx, user)
      return paginate(
        ctx.db.selectFrom('sshKey').where('userId', '=', id).orderBy('id').select(columns),
        at,
        (row): Key => row,
      )
    },
  }),

  /** Gives a user a key. It must be known to nobody, and of a kind that the settings take. */
  add: command({
    on: instance,
    can: 'key.manage',
    input: {
      user: Reference,
      key: v.string(),
      title: v.optional(v.string()),
      expiresAt: v.optional(v.nullable(Instant), null),
    },
    async run(ctx, { user, expiresAt, ...given }): Promise<Key> {
      const { id: userId } = await findUser(ctx, user)
      const { title, normalised: key, sha256, md5 } = await readKey(ctx, given)
      if (await records(ctx).where('sha256', '=', sha256).executeTakeFirst()) throw takenKey()
      const [row] = await ctx.db
        .insertInto('sshKey')
        .values({
          userId,
          creatorId: null,
          deploy: false,
          title,
          key,
          sha256,
          md5,
          createdAt: ctx.now,
          expiresAt: expiresAt && instant(expiresAt),
        })
        .returning(columns)
        .execute()
      return row as Key
    },
  }),

  /** Takes a key away, from a user or, as a deploy key, from all projects. */
  remove: command({
    on: instance,
    can: 'key.manage',
    input: { key: Id },
    async run(ctx, { key }) {
      const [row] = await ctx.db.deleteFrom('sshKey').where('id', '=', key).returning('id').execute()
      if (!row) throw notFound()
    },
  }),
}
