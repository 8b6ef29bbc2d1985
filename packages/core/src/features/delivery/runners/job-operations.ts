import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { readableProjects } from '../../../access/predicates.ts'
import { actDeferredAs, afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { Sort } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { jobColumns } from '../../code/pipeline-records/queries.ts'
import { pipelineStatuses } from '../../code/pipeline-records/status.ts'
import { assembleJob } from './assemble-job.ts'
import { recordContact } from './contact.ts'
import { describeJobsOfProjects, type JobInProject } from './job-list.ts'
import { readTags } from './queries.ts'
import type { RunnerJob } from './runner-job.ts'
import { RunnerInfo } from './settings.ts'
import { runnerById, runnerByToken } from './subject.ts'
import { takeJob } from './take-job.ts'

/** The part of `runners` with which they ask for jobs. */
export const runnerJobs = {
  /** Lists the jobs that a runner has taken in projects that the current user can see, newest first. */
  listJobs: query({
    on: runnerById,
    can: 'runner.manage',
    input: {
      ...pagingEntries,
      /** Only jobs with this status. */
      status: v.optional(v.picklist(pipelineStatuses)),
      /** The field by which the list is sorted: the id, in the order of creation. */
      orderBy: v.optional(v.picklist(['id']), 'id'),
      /** Direction of the order. Default: `desc`, newest first. */
      sort: v.optional(Sort, 'desc'),
    },
    async run(ctx, { status, orderBy, sort, ...paging }, { runner: { id } }): Promise<Deferred<Page<JobInProject>>> {
      const readable = readableProjects(await withGrants(ctx))
      const rows = ctx.db
        .selectFrom('pipelineJob')
        .where('runnerId', '=', id)
        .where('projectId', 'in', ctx.db.selectFrom('project').where(readable).select('project.id'))
        .orderBy(orderBy, sort)
        .select(jobColumns)
      const page = await paginate(status === undefined ? rows : rows.where('status', '=', status), paging, (row) => row)
      return describeJobsOfProjects(ctx, page.items, (items) => ({ ...page, items }))
    },
  }),

  /**
   * Takes the oldest pending job that fits a runner: in its projects, with its tags, and protected if the runner requires it. The job
   * runs afterwards, until the runner reports its result with the token of the job. Returns null if there is none.
   */
  takeJob: command({
    on: runnerByToken,
    can: 'runner.useToken',
    serializes: 'instance',
    input: {
      /** What the runner says about itself: `name`, `version`, `revision`, `platform`, `architecture`. */
      info: RunnerInfo,
    },
    async run(ctx, { info }, { runner: { id } }) {
      await recordContact(ctx, id, info)
      const row = await ctx.db
        .selectFrom('runner')
        .where('id', '=', id)
        .select(['id', 'runnerType', 'groupId', 'paused', 'runUntagged', 'accessLevel', 'maximumTimeout'])
        .executeTakeFirstOrThrow()
      const { paused, maximumTimeout, ...limits } = row
      const taken = paused ? undefined : await takeJob(ctx, { ...limits, tags: await readTags(ctx, id) })
      if (taken === undefined) return afterTransaction(async (): Promise<RunnerJob | null> => null)
      return actDeferredAs(
        taken.user,
        afterTransaction(async (runner): Promise<RunnerJob | null> => assembleJob(runner, taken, maximumTimeout)),
      )
    },
  }),
}
