import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { getHeadReference } from '../../code/repository/merge-request-references.ts'
import { findNewestVersion } from '../../collaboration/merge-requests/changes/queries.ts'
import { isFromFork } from '../../collaboration/merge-requests/merge-request.ts'

/** Where a pipeline of a merge request runs, and for which reference. */
export interface MergeRequestPipelinePlace {
  readonly subject: Subjects['project']
  readonly ref: string
  readonly mergeBase?: string | undefined
}

/**
 * The project in which the current user can run the pipeline of a merge request: the target project, otherwise the fork.
 * Undefined if it is neither.
 */
export const findPipelinePlace = async (
  ctx: Context,
  { mergeRequest, ...rest }: Subjects['mergeRequest'],
): Promise<MergeRequestPipelinePlace | undefined> => {
  const target = { ...rest, kind: 'project' } as const
  const isFork = isFromFork(mergeRequest)
  const branch = `refs/heads/${mergeRequest.sourceBranch}`
  if (hasAbility(ctx.actor, target, 'pipeline.run'))
    return { subject: target, ref: isFork ? getHeadReference(mergeRequest.iid) : branch }
  if (!isFork || mergeRequest.sourceProjectId === null) return undefined
  const source = await loadIfVisible(ctx, project, { project: mergeRequest.sourceProjectId })
  if (source === undefined || !hasAbility(ctx.actor, source, 'pipeline.run')) return undefined
  return { subject: source, ref: branch, mergeBase: (await findNewestVersion(ctx, mergeRequest.id))?.baseCommitSha }
}
