import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import type { TransactionRunner } from '../../kernel/deferred.ts'
import { isWriteRejection } from '../../kernel/errors.ts'
import type { MergeRequestRecord } from '../merge-requests/merge-request.ts'
import type { OpenedRepository } from '../repository/opened-repository.ts'

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

type MergeStatus = MergeRequestRecord['mergeStatus']

/** The branches of a merge request, as git compares them. */
export interface ComparedBranches {
  readonly check: BranchCheck
  readonly mergeStatus: MergeStatus
}

export const findCheck = (ctx: Context, mergeRequestId: number): Promise<BranchCheck | undefined> =>
  ctx.db
    .selectFrom('mergeRequestCheck')
    .where('mergeRequestId', '=', mergeRequestId)
    .select(['sourceSha', 'targetSha', 'hasConflicts', 'isBehind'])
    .executeTakeFirst()

/** `cannot_be_merged` also if a branch is missing, or the target branch contains the source branch. */
const compareBranches = async (
  { repository, abortable }: OpenedRepository,
  [sourceSha, targetSha]: readonly [string | null, string | null],
): Promise<ComparedBranches> => {
  const check = { sourceSha, targetSha, hasConflicts: false, isBehind: false }
  if (sourceSha === null || targetSha === null) return { check, mergeStatus: 'cannot_be_merged' }
  const base = await repository.mergeBase([targetSha, sourceSha], abortable)
  if (base === sourceSha) return { check, mergeStatus: 'cannot_be_merged' }
  if (base === targetSha) return { check, mergeStatus: 'can_be_merged' }
  const isMergeable =
    base !== undefined &&
    (await repository.mergeTrees({ ours: targetSha, theirs: sourceSha, ...abortable })).conflicts.length === 0
  return {
    check: { ...check, isBehind: true, hasConflicts: !isMergeable },
    mergeStatus: isMergeable ? 'can_be_merged' : 'cannot_be_merged',
  }
}

const storeCheck = async (ctx: Context, id: number, { check, mergeStatus }: ComparedBranches) => {
  await ctx.db
    .insertInto('mergeRequestCheck')
    .values({ mergeRequestId: id, ...check } satisfies CompleteRow<'mergeRequestCheck'>)
    .onConflict((conflict) => conflict.column('mergeRequestId').doUpdateSet({ ...check }))
    .execute()
  await ctx.db.updateTable('mergeRequest').set({ mergeStatus }).where('id', '=', id).execute()
}

/** Compares the branches of an open merge request if one has moved since the last comparison. Returns whether it has. */
export const refreshCheck = async (
  { write }: Pick<TransactionRunner, 'write'>,
  opened: OpenedRepository,
  { id, state, mergeStatus, sourceBranch, targetBranch }: MergeRequestRecord,
  stored: BranchCheck | undefined,
): Promise<boolean> => {
  if (state !== 'opened') return false
  const [sourceSha = null, targetSha = null] = await Promise.all([
    opened.repository.branch(sourceBranch),
    opened.repository.branch(targetBranch),
  ])
  const isCurrent = stored?.sourceSha === sourceSha && stored.targetSha === targetSha
  if (isCurrent && mergeStatus !== 'unchecked') return false
  const compared = await compareBranches(opened, [sourceSha, targetSha])
  try {
    await write((ctx) => storeCheck(ctx, id, compared))
    return true
  } catch (error) {
    // Reads continue while writes are rejected.
    if (isWriteRejection(error)) return false
    throw error
  }
}
