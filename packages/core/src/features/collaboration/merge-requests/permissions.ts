import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { readViewerAccess } from '../../code/protected-references/reference-access.ts'
import { isSubscribed } from '../../planning/issuables/participants.ts'
import { readFirstDeployment } from './first-deployment.ts'
import type { MergeRequest, MergeRequestDetails } from './merge-request.ts'

/** Adds what the current user may do with a merge request, whether the user is subscribed, and its first deployment. */
export const withPermissions = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  mergeRequest: MergeRequest,
): Promise<MergeRequestDetails> => {
  const isAllowed = hasAbility(ctx.actor, subject, 'mergeRequest.merge')
  const canMerge = isAllowed && (await readViewerAccess(ctx, subject.project)).canMerge(mergeRequest.targetBranch)
  const [subscribed, firstDeployedToProductionAt] = await awaitAll([
    isSubscribed(ctx, { kind: 'mergeRequest', ...mergeRequest }, getUserId(ctx.actor)),
    readFirstDeployment(ctx, subject),
  ])
  return { ...mergeRequest, canMerge, subscribed, firstDeployedToProductionAt }
}
