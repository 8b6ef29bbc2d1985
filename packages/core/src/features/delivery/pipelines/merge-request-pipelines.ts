import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, complete, type Deferred } from '../../../kernel/deferred.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { selectPipelinesOf } from '../../code/pipeline-records/queries.ts'
import { readHead } from '../../collaboration/merge-requests/changes/head.ts'
import { prepareHead } from '../../collaboration/merge-requests/changes/source-branch.ts'
import { isFromFork } from '../../collaboration/merge-requests/merge-request.ts'
import { createPipeline } from './create-pipeline.ts'
import { findPipelinePlace } from './merge-request-project.ts'
import type { PipelineRequest } from './pipeline-request.ts'

/** The pipelines of a merge request, and those of its source branch for its commits. Those of a fork only if they are readable. */
export const selectMergeRequestPipelines = async (ctx: Context, { mergeRequest }: Subjects['mergeRequest']) => {
  const { id, projectId, sourceProjectId, sourceBranch } = mergeRequest
  const forkId = isFromFork(mergeRequest) ? sourceProjectId : null
  const fork = forkId === null ? undefined : await loadIfVisible(ctx, project, { project: forkId })
  const readableForks = fork && hasAbility(ctx.actor, fork, 'pipeline.read') ? [fork.project.id] : []
  const commits = ctx.db
    .selectFrom('mergeRequestVersion')
    .where('mergeRequestVersion.mergeRequestId', '=', id)
    .select('headSha')
  return selectPipelinesOf(ctx, [projectId, ...readableForks]).where((eb) =>
    eb.or([
      eb('pipeline.mergeRequestId', '=', id),
      eb.and([
        eb('pipeline.projectId', '=', sourceProjectId),
        eb('pipeline.ref', '=', sourceBranch),
        eb('pipeline.sha', 'in', commits),
      ]),
    ]),
  )
}

/**
 * Creates a pipeline from the pipeline file at the source branch of a merge request.
 *
 * @throws PlatformError `forbidden` for users who may run pipelines in the project of neither branch
 */
export const createMergeRequestPipeline = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  given: Pick<PipelineRequest, 'variables' | 'inputs'>,
): Promise<Deferred<Pipeline>> => {
  const { mergeRequest } = subject
  const place = await findPipelinePlace(ctx, subject)
  if (place === undefined) throw forbidden('Only for users who may run pipelines in the project of one of the branches')
  const { subject: owner, ...reference } = place
  const head = await readHead(ctx, subject)
  const request = { ...reference, ...given, source: 'merge_request_event', mergeRequest } as const
  const created = await createPipeline(ctx, owner, request)
  return afterTransaction(async (runner) => {
    await prepareHead(runner, head)
    return complete(created, () => runner)
  })
}
