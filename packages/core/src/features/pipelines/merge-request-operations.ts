import type { Context } from '../../kernel/context.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import type { MergeRequestRecord } from '../merge-requests/merge-request.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import type { Pipeline, PipelineRecord } from '../pipeline-records/pipeline.ts'
import { completePipelines, selectPipelines } from '../pipeline-records/queries.ts'
import { createPipeline } from './create-pipeline.ts'

/** The pipelines of a merge request, and those of its source branch for its commits. */
const selectOwn = (ctx: Context, { id, projectId, sourceBranch }: MergeRequestRecord) => {
  const commits = ctx.db
    .selectFrom('mergeRequestVersion')
    .where('mergeRequestVersion.mergeRequestId', '=', id)
    .select('headSha')
  return selectPipelines(ctx, projectId).where((eb) =>
    eb.or([
      eb('pipeline.mergeRequestId', '=', id),
      eb.and([eb('pipeline.ref', '=', sourceBranch), eb('pipeline.sha', 'in', commits)]),
    ]),
  )
}

/** The part of `pipelines` for merge requests. */
export const mergeRequestPipelines = {
  /** Pipelines of a merge request and of the commits that its source branch has had, newest first. */
  ofMergeRequest: query({
    on: mergeRequest,
    can: 'mergeRequest.listPipelines',
    input: pagingEntries,
    async run(ctx, paging, { mergeRequest }): Promise<Page<Pipeline>> {
      const rows = selectOwn(ctx, mergeRequest).orderBy('pipeline.id', 'desc')
      const page = await paginate(rows, paging, (row): PipelineRecord => row)
      return { ...page, items: await completePipelines(ctx, page.items) }
    },
  }),

  /**
   * Creates a pipeline of a merge request from the pipeline file at its source branch. Its jobs are those with rules for
   * merge requests.
   *
   * @throws PlatformError `invalid` with the reason if the file is missing or not valid, or its rules leave no job
   */
  createForMergeRequest: command({
    on: mergeRequest,
    can: 'mergeRequest.runPipeline',
    serializes: 'project',
    input: {},
    run: (ctx, _input, { mergeRequest, ...subject }) =>
      createPipeline(
        ctx,
        { ...subject, kind: 'project' },
        {
          ref: `refs/heads/${mergeRequest.sourceBranch}`,
          source: 'merge_request_event',
          mergeRequest,
        },
      ),
  }),
}
