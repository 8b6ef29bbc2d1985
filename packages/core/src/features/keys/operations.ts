import * as v from 'valibot'
import { instance } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Id, IdOrName, Instant, normalizeInstant } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { findUser } from '../accounts/queries.ts'
import { userDetails } from '../profiles/queries.ts'
import { parseFingerprintQuery } from './fingerprint-query.ts'
import type { Key, KeyRecord } from './key.ts'
import { keyTakenError, parseKeyInput } from './key-input.ts'

const columns = ['id', 'title', 'key', 'createdAt', 'expiresAt'] as const

const selectKeys = (ctx: Context) => ctx.db.selectFrom('sshKey').select([...columns, 'userId', 'creatorId', 'deploy'])

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>

const loadDeployKeyProjects = (ctx: Context, deployKeyId: number) =>
  ctx.db
    .selectFrom('deployKeyProject')
    .where('deployKeyId', '=', deployKeyId)
    .orderBy('id')
    .select(['id', 'deployKeyId', 'projectId', 'createdAt', 'updatedAt', 'canPush'])
    .execute()

const toKeyRecord = async (ctx: Context, { userId, creatorId, deploy, ...key }: KeyRow): Promise<KeyRecord> => {
  const ownerId = userId ?? creatorId
  const user = (await userDetails(ctx, [ownerId])).get(ownerId ?? 0) ?? null
  return { ...key, user, ...(deploy && { deployKeysProjects: await loadDeployKeyProjects(ctx, key.id) }) }
}

export const keys = {
  /** Gets a key by id with the details of its user; a deploy key with the projects that it can access. */
  get: query({
    on: instance,
    can: 'key.manage',
    input: { key: Id },
    async run(ctx, { key }) {
      const row = await selectKeys(ctx).where('id', '=', key).executeTakeFirst()
      if (!row) throw notFound()
      return toKeyRecord(ctx, row)
    },
  }),

  /** Finds a key by fingerprint: `SHA256:` and base64 without padding, or MD5 as hexadecimal pairs with colons. */
  find: query({
    on: instance,
    can: 'key.manage',
    input: { fingerprint: v.string() },
    async run(ctx, { fingerprint: text }) {
      const parsed = parseFingerprintQuery(text)
      if (!parsed) throw invalid('Failed to return the key')
      const row = await selectKeys(ctx).where(parsed.algorithm, '=', parsed.fingerprint).executeTakeFirst()
      if (!row) throw notFound('Key')
      return toKeyRecord(ctx, row)
    },
  }),

  /** Lists the keys of a user. */
  list: query({
    on: instance,
    can: 'key.manage',
    input: { ...pagingEntries, user: IdOrName },
    async run(ctx, { user, ...paging }) {
      const { id } = await findUser(ctx, user)
      return paginate(
        ctx.db.selectFrom('sshKey').where('userId', '=', id).orderBy('id').select(columns),
        paging,
        (row): Key => row,
      )
    },
  }),

  /** Adds a key to a user. The key must not be stored yet, and the settings must allow its kind and size. */
  add: command({
    on: instance,
    can: 'key.manage',
    input: {
      user: IdOrName,
      key: v.string(),
      title: v.optional(v.string()),
      expiresAt: v.optional(v.nullable(Instant), null),
    },
    async run(ctx, { user, expiresAt, ...input }): Promise<Key> {
      const { id: userId } = await findUser(ctx, user)
      const { title, normalised: key, sha256, md5 } = await parseKeyInput(ctx, input)
      if (await selectKeys(ctx).where('sha256', '=', sha256).executeTakeFirst()) throw keyTakenError()
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
          expiresAt: expiresAt && normalizeInstant(expiresAt),
        } satisfies CompleteRow<'sshKey'>)
        .returning(columns)
        .execute()
      return row as Key
    },
  }),

  /** Removes a key; a deploy key is removed from all projects. */
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
