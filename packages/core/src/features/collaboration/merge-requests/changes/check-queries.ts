import type { Context } from '../../../../kernel/context.ts'

/** The result of comparing the branches of a merge request. */
export interface BranchCheck {
  /** The tip of the source branch; null if it is missing. */
  readonly sourceSha: string | null
  /** The tip of the target branch; null if it is missing. */
  readonly targetSha: string | null
  readonly hasConflicts: boolean
  /** Whether the target branch has commits that the source branch does not contain. */
  readonly isBehind: boolean
}

export const findCheck = (ctx: Context, mergeRequestId: number): Promise<BranchCheck | undefined> =>
  ctx.db
    .selectFrom('mergeRequestCheck')
    .where('mergeRequestId', '=', mergeRequestId)
    .select(['sourceSha', 'targetSha', 'hasConflicts', 'isBehind'])
    .executeTakeFirst()
