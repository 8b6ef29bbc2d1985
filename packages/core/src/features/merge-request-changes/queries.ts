import type { Context } from '../../kernel/context.ts'
import type { MergeRequestVersion } from './version.ts'

const columns = [
  'id',
  'mergeRequestId',
  'baseSha as baseCommitSha',
  'startSha as startCommitSha',
  'headSha as headCommitSha',
  'createdAt',
] as const

/** Versions of a merge request, the newest first. */
export const versionsOf = (ctx: Context, mergeRequestId: number) =>
  ctx.db
    .selectFrom('mergeRequestVersion')
    .where('mergeRequestId', '=', mergeRequestId)
    .orderBy('mergeRequestVersion.id', 'desc')
    .select(columns)

/** The version that was written down last. */
export const newestVersion = async (ctx: Context, mergeRequestId: number): Promise<MergeRequestVersion | undefined> =>
  versionsOf(ctx, mergeRequestId).limit(1).executeTakeFirst()

/** SQLite takes no more values in one statement than this many rows of two. */
const rowsAtOnce = 1_000

/** Writes a version down with the commits that it brings. One that is known already is answered as it is. */
export async function storeVersion(
  ctx: Context,
  mergeRequestId: number,
  ends: Pick<MergeRequestVersion, 'baseCommitSha' | 'startCommitSha' | 'headCommitSha'>,
  commits: readonly string[],
): Promise<MergeRequestVersion> {
  const { baseCommitSha: baseSha, startCommitSha: startSha, headCommitSha: headSha } = ends
  await ctx.db
    .insertInto('mergeRequestVersion')
    .values({ mergeRequestId, baseSha, startSha, headSha, createdAt: ctx.now })
    .onConflict((known) => known.doNothing())
    .execute()
  for (let from = 0; from < commits.length; from += rowsAtOnce) {
    const rows = commits.slice(from, from + rowsAtOnce).map((sha) => ({ mergeRequestId, sha }))
    await ctx.db
      .insertInto('mergeRequestCommit')
      .values(rows)
      .onConflict((known) => known.doNothing())
      .execute()
  }
  return versionsOf(ctx, mergeRequestId)
    .where('baseSha', '=', baseSha)
    .where('headSha', '=', headSha)
    .executeTakeFirstOrThrow()
}
