import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { readableProjects } from '../../../access/predicates.ts'
import { actDeferredAs, afterTransaction, complete, type Deferred } from '../../../kernel/deferred.ts'
import { Sort } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { jobColumns } from '../../code/pipeline-records/queries.ts'
import { pipelineStatuses } from '../../code/pipeline-records/status.ts'
import { assembleJob } from './assemble-job.ts'
import { recordContact } from './contact.ts'
import { describeJobsOfProjects, type JobInProject } from './job-list.ts'
import type { RunnerJob } from './runner-job.ts'
import { RunnerInfo } from './settings.ts'
import { runnerById, runnerByToken } from './subject.ts'
import { takeJob } from './take-job.ts'

/** Searches for one request, if other runners take the found jobs at the same time. */
const maxAttempts = 20

/** The part of `runners` with which they ask for jobs. */
export const runnerJobs = {
  /** Lists the jobs that a runner has taken in projects that the current user can see, newest first. */
  listJobs: query({
    on: runnerById,
    can: 'runner.manage',
    scopes: ['manage_runner'],
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
    serializes: 'project',
    input: {
      /** What the runner says about itself: `name`, `version`, `revision`, `platform`, `architecture`. */
      info: RunnerInfo,
    },
    async run(ctx, { info }, { runner: { id } }) {
      // The lock of the project of the job follows: those of other projects need not wait.
      await ctx.lock?.([{ name: `runner ${id}` }])
      await recordContact(ctx, id, info)
      const search = await takeJob(ctx, id)
      return afterTransaction(async (runner): Promise<RunnerJob | null> => {
        let found = search
        for (let attempt = 1; found === 'lost' && attempt < maxAttempts; attempt++)
          found = await runner.write((later) => takeJob(later, id))
        if (typeof found === 'string') return null
        const taken = found
        const assembled = afterTransaction(async (asUser): Promise<RunnerJob> => assembleJob(asUser, taken))
        return complete(actDeferredAs(taken.user, assembled), () => runner)
      })
    },
  }),
}
