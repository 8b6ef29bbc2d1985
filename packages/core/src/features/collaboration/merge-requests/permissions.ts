import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { readViewerAccess } from '../../code/protected-references/reference-access.ts'
import type { MergeRequest, MergeRequestDetails } from './merge-request.ts'

/** Adds what the current user may do with a merge request. */
export const withPermissions = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  mergeRequest: MergeRequest,
): Promise<MergeRequestDetails> => {
  const isAllowed = hasAbility(ctx.actor, subject, 'mergeRequest.merge')
  const canMerge = isAllowed && (await readViewerAccess(ctx, subject.project)).canMerge(mergeRequest.targetBranch)
  return { ...mergeRequest, canMerge }
}
