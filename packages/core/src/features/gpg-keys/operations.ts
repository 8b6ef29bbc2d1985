import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { findUser } from '../accounts/queries.ts'
import { parseArmor } from './armor.ts'
import { readFingerprint } from './fingerprint.ts'
import type { GpgKey } from './gpg-key.ts'

const columns = ['id', 'key', 'createdAt'] as const

const maxKeyLength = 100_000

const keyIdInput = {
  /** Id of the key. */
  key: Id,
}

const newKeyInput = {
  /**
   * One armored public key with its user ids and subkeys, at most 100,000 characters, that no user has. Signatures are not
   * verified.
   */
  key: v.pipe(v.string(), v.maxLength(maxKeyLength)),
}

const selectKeys = (ctx: Context, userId: number) =>
  ctx.db.selectFrom('gpgKey').where('userId', '=', userId).orderBy('id').select(columns)

const getKey = async (ctx: Context, userId: number, id: number): Promise<GpgKey> => {
  const row = await selectKeys(ctx, userId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('GPG Key')
  return row
}

const insertKey = async (ctx: Context, userId: number, text: string): Promise<GpgKey> => {
  const key = text.trim().replaceAll('\r\n', '\n')
  const data = parseArmor(key)
  const fingerprint = data && readFingerprint(data)
  if (fingerprint === undefined) throw invalid({ key: ['is not one armored PGP public key block'] })
  const taken = await ctx.db.selectFrom('gpgKey').where('fingerprint', '=', fingerprint).select('id').executeTakeFirst()
  if (taken) throw invalid({ fingerprint: ['has already been taken'] })
  const [row] = await ctx.db
    .insertInto('gpgKey')
    .values({ userId, key, fingerprint, createdAt: ctx.now } satisfies CompleteRow<'gpgKey'>)
    .returning(columns)
    .execute()
  return row as GpgKey
}

const deleteKey = async (ctx: Context, userId: number, id: number): Promise<void> => {
  const { id: found } = await getKey(ctx, userId, id)
  await ctx.db.deleteFrom('gpgKey').where('id', '=', found).execute()
}

export const gpgKeys = {
  /** Lists the GPG keys of a user, ordered by id. They are public keys. */
  list: query({
    on: instance,
    can: 'gpgKey.read',
    input: { ...pagingEntries, ...userEntries },
    async run(ctx, { user, ...paging }) {
      const { id } = await findUser(ctx, user)
      return paginate(selectKeys(ctx, id), paging, (row): GpgKey => row)
    },
  }),

  /** Gets a GPG key of a user. */
  get: query({
    on: instance,
    can: 'gpgKey.read',
    input: { ...userEntries, ...keyIdInput },
    run: async (ctx, { user, key }) => getKey(ctx, (await findUser(ctx, user)).id, key),
  }),

  /**
   * Adds a GPG key to a user.
   *
   * @throws PlatformError `invalid` for text that is no public key, or for a key that is already stored
   */
  add: command({
    on: instance,
    can: 'key.manage',
    input: { ...userEntries, ...newKeyInput },
    run: async (ctx, { user, key }) => insertKey(ctx, (await findUser(ctx, user)).id, key),
  }),

  /** Removes a GPG key of a user. */
  remove: command({
    on: instance,
    can: 'key.manage',
    input: { ...userEntries, ...keyIdInput },
    run: async (ctx, { user, key }) => deleteKey(ctx, (await findUser(ctx, user)).id, key),
  }),

  /** Lists the caller's GPG keys, ordered by id. */
  listOwn: query({
    on: instance,
    can: 'key.manageOwn',
    input: pagingEntries,
    run: (ctx, paging) => paginate(selectKeys(ctx, getUserId(ctx.actor)), paging, (row): GpgKey => row),
  }),

  /** Gets one of the caller's GPG keys. */
  getOwn: query({
    on: instance,
    can: 'key.manageOwn',
    input: keyIdInput,
    run: (ctx, { key }) => getKey(ctx, getUserId(ctx.actor), key),
  }),

  /** Adds a GPG key to the caller, with the rules of `add`. */
  addOwn: command({
    on: instance,
    can: 'key.manageOwn',
    input: newKeyInput,
    run: async (ctx, { key }) => insertKey(ctx, (await findUser(ctx, getUserId(ctx.actor))).id, key),
  }),

  /** Removes one of the caller's GPG keys. */
  removeOwn: command({
    on: instance,
    can: 'key.manageOwn',
    input: keyIdInput,
    run: (ctx, { key }) => deleteKey(ctx, getUserId(ctx.actor), key),
  }),
}
