import type { Context } from '../../kernel/context.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { invalid } from '../../kernel/errors.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { resolveOptionalAuthor } from '../issuables/author.ts'
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
    can: 'mergeRequest.read',
    input: pagingEntries,
    async run(ctx, paging, { mergeRequest }): Promise<Page<Pipeline>> {
      const rows = selectOwn(ctx, mergeRequest).orderBy('pipeline.id', 'desc')
      const page = await paginate(rows, paging, (row): PipelineRecord => row)
      return { ...page, items: await completePipelines(ctx, page.items) }
    },
  }),

  /**
   * Creates a pipeline of an open merge request, with the jobs of the pipeline file at its source branch.
   *
   * @throws PlatformError `invalid` with the reason if the branch or the file is missing, or the file is not valid
   */
  createForMergeRequest: command({
    on: mergeRequest,
    can: 'mergeRequest.merge',
    serializes: 'project',
    async run(ctx, _, { project, mergeRequest }) {
      const { id, iid, state, sourceBranch } = mergeRequest
      if (state !== 'opened') throw invalid({ base: ['Merge request is not open'] })
      const userId = await resolveOptionalAuthor(ctx, undefined)
      const request = { ref: `refs/heads/${sourceBranch}`, userId, mergeRequest: { id, iid } }
      return afterTransaction((runner) =>
        createPipeline(runner, project, { ...request, source: 'merge_request_event' }),
      )
    },
  }),
}
