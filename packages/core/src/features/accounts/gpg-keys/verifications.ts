import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'

/** A verified signature and its key. */
export interface Verification {
  /** Null after the removal of the key. */
  readonly gpgKeyId: number | null
  /** Null for the primary key. */
  readonly gpgSubkeyId: number | null
  /** 16 uppercase hexadecimal digits; null for a malformed signature. */
  readonly primaryKeyId: string | null
  readonly userName: string | null
  readonly userEmail: string | null
}

interface SignedObject {
  readonly projectId: number
  /** Id of the commit or tag. */
  readonly objectId: string
}

/** The earlier verification of a commit or tag; undefined if it was not verified before, or its key was revoked. */
export const findVerification = (
  { db }: Pick<Context, 'db'>,
  { projectId, objectId }: SignedObject,
): Promise<Verification | undefined> =>
  db
    .selectFrom('verifiedSignature')
    .where('projectId', '=', projectId)
    .where('objectId', '=', objectId)
    .select(['gpgKeyId', 'gpgSubkeyId', 'primaryKeyId', 'userName', 'userEmail'])
    .executeTakeFirst()

/** Keeps a verification beyond the removal of the key, unless the key was removed meanwhile. */
export async function storeVerification(
  { db }: Pick<Context, 'db'>,
  object: SignedObject,
  verification: Verification,
): Promise<void> {
  const key = db.selectFrom('gpgKey').where('id', '=', verification.gpgKeyId).select('id')
  if ((await key.executeTakeFirst()) === undefined) return
  await db
    .insertInto('verifiedSignature')
    .values({ ...object, ...verification } satisfies CompleteRow<'verifiedSignature'>)
    .onConflict((existing) => existing.columns(['projectId', 'objectId']).doNothing())
    .execute()
}

/** Makes the signatures of a key unverified. */
export const removeVerifications = async ({ db }: Pick<Context, 'db'>, gpgKeyId: number): Promise<void> => {
  await db.deleteFrom('verifiedSignature').where('gpgKeyId', '=', gpgKeyId).execute()
}
