import * as v from 'valibot'
import { account, instance } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getSshKeyId, getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { exactlyOne, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { defined } from '../../../shared/defined.ts'
import { getAccountId, userSummaries } from '../users/queries.ts'
import { findUserDetail } from '../users/user-details.ts'
import { parseFingerprintQuery } from './fingerprint-query.ts'
import { type Key, type KeyOwner, type KeyRecord, keyUsages } from './key.ts'
import { keyTakenError, parseKeyInput } from './key-input.ts'

const columns = ['id', 'title', 'key', 'createdAt', 'expiresAt', 'lastUsedAt', 'usageType'] as const

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
  const user = ownerId === null ? null : ((await findUserDetail(ctx, ownerId)) ?? null)
  return { ...key, user, ...(deploy && { deployKeysProjects: await loadDeployKeyProjects(ctx, key.id) }) }
}

const keyIdInput = {
  /** Id of a key of a user, or of a deploy key. */
  key: Id,
}

const findById = (ctx: Context, key: number) => selectKeys(ctx).where('id', '=', key).executeTakeFirst()

const findByFingerprint = (ctx: Context, text = '') => {
  const parsed = parseFingerprintQuery(text)
  if (!parsed) throw invalid('Failed to return the key')
  return selectKeys(ctx).where(parsed.algorithm, '=', parsed.fingerprint).executeTakeFirst()
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
  /** What the host may use the key for. Default: `auth_and_signing`. */
  usageType: v.optional(v.picklist(keyUsages), 'auth_and_signing'),
}

const NewKeySchema = v.object(newKeyInput)

const insertKey = async (
  ctx: Context,
  userId: number,
  { expiresAt, usageType, ...input }: v.InferOutput<typeof NewKeySchema>,
): Promise<Key> => {
  const { title, normalised: key, sha256, md5 } = await parseKeyInput(ctx, input)
  if (await selectKeys(ctx).where('sha256', '=', sha256).executeTakeFirst()) throw keyTakenError()
  const [row] = await ctx.db
    .insertInto('sshKey')
    .values({
      userId,
      creatorId: null,
      deploy: false,
      public: false,
      usageType,
      title,
      key,
      sha256,
      md5,
      createdAt: ctx.now,
      expiresAt: expiresAt && normalizeInstant(expiresAt),
      lastUsedAt: null,
    } satisfies CompleteRow<'sshKey'>)
    .returning(columns)
    .execute()
  const stored = defined(row)
  await ctx.emit('key.created', { id: stored.id, userId, key: stored.key, createdAt: stored.createdAt })
  return stored
}

const selectKeysOf = (ctx: Context, userId: number) =>
  ctx.db.selectFrom('sshKey').where('userId', '=', userId).orderBy('id').select(columns)

const getKeyOf = async (ctx: Context, userId: number, key: number): Promise<Key> => {
  const row = await selectKeysOf(ctx, userId).where('id', '=', key).executeTakeFirst()
  if (!row) throw notFound('Key')
  return row
}

const deleteKeyOf = async (ctx: Context, userId: number, key: number): Promise<void> => {
  const keys = ctx.db.selectFrom('sshKey').where('id', '=', key).where('userId', '=', userId)
  const row = await keys.select(['id', 'key', 'createdAt']).executeTakeFirst()
  if (!row) throw notFound('Key')
  await assertRowUnmodified(ctx, 'sshKey', key)
  await ctx.db.deleteFrom('sshKey').where('id', '=', key).execute()
  await ctx.emit('key.removed', { ...row, userId })
}

export const keys = {
  /**
   * Finds a key of any user, or a deploy key, by its id or its fingerprint: with the details of its user, and a deploy key with
   * the projects that it can access.
   *
   * @throws PlatformError `invalid` for text that is not a fingerprint, `not_found` for an unknown key
   */
  find: query({
    on: instance,
    can: 'key.manage',
    input: {
      /** Id of a key of a user, or of a deploy key. */
      key: v.optional(keyIdInput.key),
      /** `SHA256:` and 43 characters of base64 without padding, or MD5 as 16 hexadecimal pairs with colons. */
      fingerprint: v.optional(v.string()),
    },
    rules: [exactlyOne('key', 'fingerprint')],
    async run(ctx, { key, fingerprint }) {
      const row = await (key === undefined ? findByFingerprint(ctx, fingerprint) : findById(ctx, key))
      if (!row) throw key === undefined ? notFound('Key') : notFound()
      return toKeyRecord(ctx, row)
    },
  }),

  /**
   * Gets who the SSH key of the call belongs to: the user name, or of a deploy key that of its creator, null after their removal.
   */
  getOwner: query({
    on: instance,
    can: 'key.recordUse',
    scopes: ['read_repository'],
    allowsReadScope: false,
    async run(ctx): Promise<KeyOwner> {
      const { actor } = ctx
      const id = actor.kind === 'deployKey' ? actor.creatorId : getUserId(actor)
      const [user] = (await userSummaries(ctx, [id])).values()
      return { username: user?.username ?? null }
    },
  }),

  /** Records a sign-in with the SSH key of the call. Call it after the signature of the client was verified. */
  recordUse: command({
    on: instance,
    can: 'key.recordUse',
    scopes: ['read_repository'],
    async run(ctx): Promise<void> {
      const id = getSshKeyId(ctx.actor) ?? 0
      await ctx.db.updateTable('sshKey').set({ lastUsedAt: ctx.now }).where('id', '=', id).execute()
    },
  }),

  /** Lists the SSH keys of a user, ordered by id. They are public keys. */
  list: query({
    on: account,
    can: 'key.read',
    input: pagingEntries,
    run: async (ctx, paging, subject) =>
      paginate(selectKeysOf(ctx, await getAccountId(ctx, subject)), paging, (row): Key => row),
  }),

  /** Gets an SSH key of a user. */
  get: query({
    on: account,
    can: 'key.read',
    input: keyIdInput,
    run: async (ctx, { key }, subject) => getKeyOf(ctx, await getAccountId(ctx, subject), key),
  }),

  /**
   * Adds a public SSH key to a user.
   *
   * @throws PlatformError `invalid` for an invalid key or title, a key that the settings do not allow, or one that is
   * already stored
   */
  create: command({
    on: account,
    can: 'key.manage',
    input: newKeyInput,
    run: async (ctx, input, subject) => insertKey(ctx, await getAccountId(ctx, subject), input),
  }),

  /** Removes an SSH key of a user. */
  remove: command({
    on: account,
    can: 'key.manage',
    input: keyIdInput,
    run: async (ctx, { key }, subject) => deleteKeyOf(ctx, await getAccountId(ctx, subject), key),
  }),
}
