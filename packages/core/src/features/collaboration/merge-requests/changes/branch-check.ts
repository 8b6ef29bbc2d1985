import type { CompleteRow } from '../../../../db/complete-row.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { TransactionRunner } from '../../../../kernel/deferred.ts'
import { isWriteRejection } from '../../../../kernel/errors.ts'
import type { OpenedRepository } from '../../../code/repository/opened-repository.ts'
import type { MergeRequestRecord } from '../merge-request.ts'
import { mergeRequestColumns } from '../queries.ts'
import { type BranchCheck, findCheck } from './check-queries.ts'
import { type PossibleMerge, updateMergeReference } from './merge-reference.ts'
import type { PreparedHead } from './source-branch.ts'

type MergeStatus = MergeRequestRecord['mergeStatus']

/** The branches of a merge request, as git compares them. */
interface ComparedBranches {
  readonly check: BranchCheck
  readonly mergeStatus: MergeStatus
  /** Undefined if no merge is possible. */
  readonly merge: PossibleMerge | undefined
}

/** `cannot_be_merged` also if a branch is missing, or the target branch contains the source branch. */
export const compareBranches = async (
  { repository, abortable }: OpenedRepository,
  [source, target]: readonly [string | null, string | null],
): Promise<ComparedBranches> => {
  const check = { sourceSha: source, targetSha: target, hasConflicts: false, isBehind: false }
  const impossible = { check, mergeStatus: 'cannot_be_merged', merge: undefined } as const
  if (source === null || target === null) return impossible
  const base = await repository.mergeBase([target, source], abortable)
  if (base === source) return impossible
  if (base === target) {
    const tree = (await repository.commit(source))?.tree
    return { check, mergeStatus: 'can_be_merged', merge: tree === undefined ? undefined : { source, target, tree } }
  }
  const behind = { ...check, isBehind: true }
  const merged =
    base === undefined ? undefined : await repository.mergeTrees({ ours: target, theirs: source, ...abortable })
  if (merged === undefined || merged.conflicts.length > 0)
    return { ...impossible, check: { ...behind, hasConflicts: true } }
  return { check: behind, mergeStatus: 'can_be_merged', merge: { source, target, tree: merged.tree } }
}

const storeCheck = async (ctx: Context, id: number, { check, mergeStatus }: ComparedBranches) => {
  const hadConflicts = (await findCheck(ctx, id))?.hasConflicts ?? false
  await ctx.db
    .insertInto('mergeRequestCheck')
    .values({ mergeRequestId: id, ...check } satisfies CompleteRow<'mergeRequestCheck'>)
    .onConflict((conflict) => conflict.column('mergeRequestId').doUpdateSet({ ...check }))
    .execute()
  const row = ctx.db.updateTable('mergeRequest').set({ mergeStatus }).where('id', '=', id)
  const [mergeRequest] = await row.returning(mergeRequestColumns).execute()
  if (mergeRequest?.state === 'opened' && check.hasConflicts && !hadConflicts)
    await ctx.emit('mergeRequest.conflicted', { mergeRequest })
}

/** Compares the branches of an open merge request if one has moved since the last comparison. Returns whether it has. */
export const refreshCheck = async (runner: Pick<TransactionRunner, 'write'>, head: PreparedHead): Promise<boolean> => {
  const { mergeRequest, opened, storedCheck: stored, sourceTip: sourceSha = null } = head
  const { id, state, mergeStatus, targetBranch } = mergeRequest
  if (state !== 'opened' || opened === undefined) return false
  const targetSha = (await opened.repository.branch(targetBranch)) ?? null
  const isCurrent = stored?.sourceSha === sourceSha && stored.targetSha === targetSha
  if (isCurrent && mergeStatus !== 'unchecked') return false
  const compared = await compareBranches(opened, [sourceSha, targetSha])
  try {
    await updateMergeReference(runner, head, compared.merge)
    await runner.write((ctx) => storeCheck(ctx, id, compared))
    return true
  } catch (error) {
    // Reads continue while writes are rejected.
    if (isWriteRejection(error)) return false
    throw error
  }
}
