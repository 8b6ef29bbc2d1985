import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Id, Instant, normalizeInstant } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { CheckedText } from '../../kernel/text-limits.ts'
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

const keyIdInput = {
  /** Id of a key of a user, or of a deploy key. */
  key: Id,
}

const newKeyInput = {
  /**
   * One public key in OpenSSH format, `<type> <base64> [comment]`: RSA, DSA, ECDSA or Ed25519, at most 10,000
   * characters, allowed by the settings.
   */
  key: CheckedText,
  /** Name for people: not blank, at most 255 characters. Default: the comment of the key. */
  title: v.optional(v.string()),
  /**
   * Time after which the host should reject the key; ISO 8601, UTC without an offset. Null (default) if it does not
   * expire.
   */
  expiresAt: v.optional(v.nullable(Instant), null),
}

const NewKeySchema = v.object(newKeyInput)

const insertKey = async (
  ctx: Context,
  userId: number,
  { expiresAt, ...input }: v.InferOutput<typeof NewKeySchema>,
): Promise<Key> => {
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
}

const selectKeysOf = (ctx: Context, userId: number) =>
  ctx.db.selectFrom('sshKey').where('userId', '=', userId).orderBy('id').select(columns)

const getKeyOf = async (ctx: Context, userId: number, key: number): Promise<Key> => {
  const row = await selectKeysOf(ctx, userId).where('id', '=', key).executeTakeFirst()
  if (!row) throw notFound('Key')
  return row
}

const deleteKeyOf = async (ctx: Context, userId: number, key: number): Promise<void> => {
  const [row] = await ctx.db
    .deleteFrom('sshKey')
    .where('id', '=', key)
    .where('userId', '=', userId)
    .returning('id')
    .execute()
  if (!row) throw notFound('Key')
}

export const keys = {
  /** Gets a key by id with the details of its user; a deploy key with the projects that it can access. */
  get: query({
    on: instance,
    can: 'key.manage',
    input: keyIdInput,
    async run(ctx, { key }) {
      const row = await selectKeys(ctx).where('id', '=', key).executeTakeFirst()
      if (!row) throw notFound()
      return toKeyRecord(ctx, row)
    },
  }),

  /**
   * Gets a key by its fingerprint, with the details of its user.
   *
   * @throws PlatformError `invalid` for text that is not a fingerprint, `not_found` for an unknown one
   */
  find: query({
    on: instance,
    can: 'key.manage',
    input: {
      /** `SHA256:` and 43 characters of base64 without padding, or MD5 as 16 hexadecimal pairs with colons. */
      fingerprint: v.string(),
    },
    async run(ctx, { fingerprint: text }) {
      const parsed = parseFingerprintQuery(text)
      if (!parsed) throw invalid('Failed to return the key')
      const row = await selectKeys(ctx).where(parsed.algorithm, '=', parsed.fingerprint).executeTakeFirst()
      if (!row) throw notFound('Key')
      return toKeyRecord(ctx, row)
    },
  }),

  /** Lists the SSH keys of a user, ordered by id. They are public keys. */
  list: query({
    on: instance,
    can: 'key.list',
    input: { ...pagingEntries, ...userEntries },
    async run(ctx, { user, ...paging }) {
      const { id } = await findUser(ctx, user)
      return paginate(selectKeysOf(ctx, id), paging, (row): Key => row)
    },
  }),

  /** Gets an SSH key of a user. */
  getOfUser: query({
    on: instance,
    can: 'key.list',
    input: { ...userEntries, ...keyIdInput },
    async run(ctx, { user, key }) {
      const { id } = await findUser(ctx, user)
      return getKeyOf(ctx, id, key)
    },
  }),

  /** Lists the caller's SSH keys, ordered by id. */
  listOwn: query({
    on: instance,
    can: 'key.manageOwn',
    input: pagingEntries,
    run: (ctx, paging) => paginate(selectKeysOf(ctx, getUserId(ctx.actor)), paging, (row): Key => row),
  }),

  /** Gets one of the caller's SSH keys. */
  getOwn: query({
    on: instance,
    can: 'key.manageOwn',
    input: keyIdInput,
    run: (ctx, { key }) => getKeyOf(ctx, getUserId(ctx.actor), key),
  }),

  /** Adds a public SSH key to the caller, with the rules of `add`. */
  addOwn: command({
    on: instance,
    can: 'key.manageOwn',
    input: newKeyInput,
    async run(ctx, input) {
      const { id } = await findUser(ctx, getUserId(ctx.actor))
      return insertKey(ctx, id, input)
    },
  }),

  /** Removes one of the caller's SSH keys. */
  removeOwn: command({
    on: instance,
    can: 'key.manageOwn',
    input: keyIdInput,
    run: (ctx, { key }) => deleteKeyOf(ctx, getUserId(ctx.actor), key),
  }),

  /** Removes a key of a user. */
  removeFromUser: command({
    on: instance,
    can: 'key.manage',
    input: { ...userEntries, ...keyIdInput },
    async run(ctx, { user, key }) {
      const { id } = await findUser(ctx, user)
      return deleteKeyOf(ctx, id, key)
    },
  }),

  /**
   * Adds a public SSH key to a user.
   *
   * @throws PlatformError `invalid` for an invalid key or title, a key that the settings do not allow, or one that is
   * already stored
   */
  add: command({
    on: instance,
    can: 'key.manage',
    input: {
      ...userEntries,
      ...newKeyInput,
    },
    async run(ctx, { user, ...input }) {
      const { id } = await findUser(ctx, user)
      return insertKey(ctx, id, input)
    },
  }),

  /** Removes a key of a user, or a deploy key from all projects. */
  remove: command({
    on: instance,
    can: 'key.manage',
    input: keyIdInput,
    async run(ctx, { key }) {
      const [row] = await ctx.db.deleteFrom('sshKey').where('id', '=', key).returning('id').execute()
      if (!row) throw notFound()
    },
  }),
}
