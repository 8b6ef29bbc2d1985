import type { Context } from '../../../kernel/context.ts'

/** Keys with the same id that are tried: who makes a key can choose its id. */
const maxKeys = 5

/** A stored key that a signature may belong to. */
export interface SigningKey {
  readonly id: number
  readonly userId: number
  readonly key: string
  /** Id of the primary key in signatures. */
  readonly keyId: string
  /** Id of the subkey on the instance; null for the primary key. */
  readonly subkeyId: number | null
}

/** The keys whose primary key or subkey has this id: 16 lowercase hexadecimal digits. */
export async function findGpgKeys(ctx: Context, keyId: string): Promise<readonly SigningKey[]> {
  const columns = ['gpgKey.id', 'gpgKey.userId', 'gpgKey.key', 'gpgKey.keyId'] as const
  const keys = ctx.db.selectFrom('gpgKey').orderBy('gpgKey.id').limit(maxKeys).select(columns)
  const primary = await keys.where('gpgKey.keyId', '=', keyId).execute()
  const ofSubkeys = await keys
    .innerJoin('gpgSubkey', 'gpgSubkey.gpgKeyId', 'gpgKey.id')
    .where('gpgSubkey.keyId', '=', keyId)
    .select('gpgSubkey.id as subkeyId')
    .execute()
  return [...primary.map((key) => ({ ...key, subkeyId: null })), ...ofSubkeys]
}
