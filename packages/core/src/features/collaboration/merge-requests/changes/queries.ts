import type { CompleteRow } from '../../../../db/complete-row.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { MergeRequestVersion } from './version.ts'

const columns = [
  'id',
  'mergeRequestId',
  'baseSha as baseCommitSha',
  'startSha as startCommitSha',
  'headSha as headCommitSha',
  'changesCount',
  'createdAt',
] as const

/** Versions of a merge request, newest first. */
export const versionsOf = (ctx: Context, mergeRequestId: number) =>
  ctx.db
    .selectFrom('mergeRequestVersion')
    .where('mergeRequestId', '=', mergeRequestId)
    .orderBy('mergeRequestVersion.id', 'desc')
    .select(columns)

export const findNewestVersion = async (
  ctx: Context,
  mergeRequestId: number,
): Promise<MergeRequestVersion | undefined> => versionsOf(ctx, mergeRequestId).limit(1).executeTakeFirst()

/** Rows of two values per statement: SQLite limits the number of parameters. */
const insertBatchSize = 1_000

/** Stores a version with its commits. Returns the stored version if it exists already. */
export async function storeVersion(
  ctx: Context,
  mergeRequestId: number,
  range: Pick<MergeRequestVersion, 'baseCommitSha' | 'startCommitSha' | 'headCommitSha' | 'changesCount'>,
  commits: readonly string[],
): Promise<MergeRequestVersion> {
  const { baseCommitSha: baseSha, startCommitSha: startSha, headCommitSha: headSha, changesCount } = range
  await ctx.db
    .insertInto('mergeRequestVersion')
    .values({
      mergeRequestId,
      baseSha,
      startSha,
      headSha,
      changesCount,
      createdAt: ctx.now,
    } satisfies CompleteRow<'mergeRequestVersion'>)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  for (let from = 0; from < commits.length; from += insertBatchSize) {
    const rows = commits
      .slice(from, from + insertBatchSize)
      .map((sha) => ({ mergeRequestId, sha }) satisfies CompleteRow<'mergeRequestCommit'>)
    await ctx.db
      .insertInto('mergeRequestCommit')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return versionsOf(ctx, mergeRequestId)
    .where('baseSha', '=', baseSha)
    .where('headSha', '=', headSha)
    .executeTakeFirstOrThrow()
}
