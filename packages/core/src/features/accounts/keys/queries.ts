import type { Context } from '../../../kernel/context.ts'
import type { Key } from './key.ts'

/** The key that a user signs with, by its SHA-256 fingerprint in base64 without padding; undefined for other keys. */
export async function findSigningKey(
  ctx: Context,
  sha256: string,
): Promise<{ readonly userId: number; readonly key: Key } | undefined> {
  const row = await ctx.db
    .selectFrom('sshKey')
    .where('sha256', '=', sha256)
    .where('usageType', '!=', 'auth')
    .select(['id', 'title', 'key', 'createdAt', 'expiresAt', 'lastUsedAt', 'usageType', 'userId'])
    .executeTakeFirst()
  if (row === undefined || row.userId === null) return undefined
  const { userId, ...key } = row
  return { userId, key }
}
