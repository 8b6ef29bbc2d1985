import { project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, complete, type Deferred } from '../../../kernel/deferred.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import type { Pipeline, PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { completePipelines, selectPipelinesOf } from '../../code/pipeline-records/queries.ts'
import { readHead } from '../../collaboration/merge-requests/changes/head.ts'
import { prepareHead } from '../../collaboration/merge-requests/changes/source-branch.ts'
import { isFromFork, type MergeRequestRecord } from '../../collaboration/merge-requests/merge-request.ts'
import { mergeRequest } from '../../collaboration/merge-requests/subject.ts'
import { createPipeline } from './create-pipeline.ts'
import { findPipelinePlace } from './merge-request-project.ts'

/** The pipelines of a merge request, and those of its source branch for its commits. */
const selectOwn = (
  ctx: Context,
  { id, projectId, sourceProjectId, sourceBranch }: MergeRequestRecord,
  readableForks: readonly number[],
) => {
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

/** The part of `mergeRequests` for their pipelines. */
export const mergeRequestPipelines = {
  /**
   * Lists pipelines of a merge request and of the commits that its source branch has had, newest first. Those of a fork only if
   * the current user can read them.
   */
  listPipelines: query({
    on: mergeRequest,
    can: 'mergeRequest.listPipelines',
    input: pagingEntries,
    async run(ctx, paging, { mergeRequest }): Promise<Page<Pipeline>> {
      const forkId = isFromFork(mergeRequest) ? mergeRequest.sourceProjectId : null
      const fork = forkId === null ? undefined : await loadIfVisible(ctx, project, { project: forkId })
      const readable = fork && hasAbility(ctx.actor, fork, 'pipeline.read') ? [fork.project.id] : []
      const rows = selectOwn(ctx, mergeRequest, readable).orderBy('pipeline.id', 'desc')
      const page = await paginate(rows, paging, (row): PipelineRecord => row)
      return { ...page, items: await completePipelines(ctx, page.items) }
    },
  }),

  /**
   * Creates a pipeline of a merge request from the pipeline file at its source branch. Its jobs are those with rules for
   * merge requests. It runs in the target project if the current user may run pipelines there, otherwise in the fork.
   *
   * @throws PlatformError `invalid` with the reason if the file is missing or not valid, or its rules leave no job
   */
  createPipeline: command({
    on: mergeRequest,
    can: 'mergeRequest.runPipeline',
    serializes: 'project',
    input: {},
    async run(ctx, _input, subject): Promise<Deferred<Pipeline>> {
      const { mergeRequest } = subject
      const place = await findPipelinePlace(ctx, subject)
      if (place === undefined)
        throw forbidden('Only for users who may run pipelines in the project of one of the branches')
      const { subject: owner, ...reference } = place
      const head = await readHead(ctx, subject)
      const created = await createPipeline(ctx, owner, { ...reference, source: 'merge_request_event', mergeRequest })
      return afterTransaction(async (runner) => {
        await prepareHead(runner, head)
        return complete(created, () => runner)
      })
    },
  }),
}
