import * as v from 'valibot'
import { account } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { getAccountId } from '../users/queries.ts'
import { parseArmor } from './armor.ts'
import { readFingerprints, toKeyId } from './fingerprint.ts'
import type { GpgKey } from './gpg-key.ts'
import { removeVerifications } from './verifications.ts'

const columns = ['id', 'key', 'createdAt'] as const

const maxKeyLength = 100_000

const keyIdInput = {
  /** Id of the key. */
  key: Id,
}

const newKeyInput = {
  /**
   * One armored public key with its user ids and subkeys, at most 100,000 characters, that no user has. Signatures of commits are
   * verified with it if one of its addresses is a confirmed one of the user.
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
  const fingerprints = data && readFingerprints(data)
  if (fingerprints === undefined) throw invalid({ key: ['is not one armored PGP public key block'] })
  const { primary: fingerprint, subkeys } = fingerprints
  const taken = await ctx.db.selectFrom('gpgKey').where('fingerprint', '=', fingerprint).select('id').executeTakeFirst()
  if (taken) throw invalid({ fingerprint: ['has already been taken'] })
  const [row] = await ctx.db
    .insertInto('gpgKey')
    .values({
      userId,
      key,
      fingerprint,
      keyId: toKeyId(fingerprint),
      createdAt: ctx.now,
    } satisfies CompleteRow<'gpgKey'>)
    .returning(columns)
    .execute()
  const inserted = defined(row)
  const rows = subkeys.map(
    (subkey) => ({ gpgKeyId: inserted.id, keyId: toKeyId(subkey) }) satisfies CompleteRow<'gpgSubkey'>,
  )
  if (rows.length > 0) await ctx.db.insertInto('gpgSubkey').values(rows).execute()
  await ctx.emit('gpgKey.created', { userId, fingerprint })
  return inserted
}

const deleteKey = async (ctx: Context, userId: number, id: number): Promise<void> => {
  const { id: found } = await getKey(ctx, userId, id)
  await assertRowUnmodified(ctx, 'gpgKey', found)
  await ctx.db.deleteFrom('gpgKey').where('id', '=', found).execute()
}

export const gpgKeys = {
  /** Lists the GPG keys of a user, ordered by id. They are public keys. */
  list: query({
    on: account,
    can: 'gpgKey.read',
    input: pagingEntries,
    run: async (ctx, paging, subject) =>
      paginate(selectKeys(ctx, await getAccountId(ctx, subject)), paging, (row): GpgKey => row),
  }),

  /** Gets a GPG key of a user. */
  get: query({
    on: account,
    can: 'gpgKey.read',
    input: keyIdInput,
    run: async (ctx, { key }, subject) => getKey(ctx, await getAccountId(ctx, subject), key),
  }),

  /**
   * Adds a GPG key to a user.
   *
   * @throws PlatformError `invalid` for text that is no public key, or for a key that is already stored
   */
  create: command({
    on: account,
    can: 'key.manage',
    input: newKeyInput,
    run: async (ctx, { key }, subject) => insertKey(ctx, await getAccountId(ctx, subject), key),
  }),

  /** Removes a GPG key of a user. Signatures that were verified with it stay verified. */
  remove: command({
    on: account,
    can: 'key.manage',
    input: keyIdInput,
    run: async (ctx, { key }, subject) => deleteKey(ctx, await getAccountId(ctx, subject), key),
  }),

  /** Removes a GPG key of a user, and makes all signatures with it unverified. */
  revoke: command({
    on: account,
    can: 'key.manage',
    input: keyIdInput,
    async run(ctx, { key }, subject) {
      const userId = await getAccountId(ctx, subject)
      const { id } = await getKey(ctx, userId, key)
      await removeVerifications(ctx, id)
      await deleteKey(ctx, userId, id)
    },
  }),
}
