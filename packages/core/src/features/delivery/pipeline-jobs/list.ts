import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { Sort } from '../../../kernel/inputs.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { selectJobs } from '../../code/pipeline-records/queries.ts'
import { pipelineStatuses } from '../../code/pipeline-records/status.ts'
import { describeJobs, type PipelineJobDetails } from './job-details.ts'

export const jobListInput = {
  ...pagingEntries,
  /** Only jobs with one of these statuses. Default: all. */
  scope: v.optional(v.pipe(v.array(v.picklist(pipelineStatuses)), v.maxLength(pipelineStatuses.length))),
  /** The field by which the list is sorted: the id, in the order of creation. */
  orderBy: v.optional(v.picklist(['id']), 'id'),
  /** Direction of the order. Default: `desc`, newest first. */
  sort: v.optional(Sort, 'desc'),
}

type JobListInput = v.InferOutput<v.ObjectSchema<typeof jobListInput, undefined>>

/** A page of jobs, by default newest first. */
export const listJobs = async (
  ctx: Context,
  subject: Subjects['project'],
  rows: ReturnType<typeof selectJobs>,
  { scope, orderBy, sort, ...paging }: JobListInput,
): Promise<Deferred<Page<PipelineJobDetails>>> => {
  const matching = scope?.length ? rows.where('status', 'in', scope) : rows
  const page = await paginate(matching.orderBy(orderBy, sort), paging, (row): PipelineJobRecord => row)
  return describeJobs(ctx, subject, page.items, (items) => ({ ...page, items }))
}
