import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { Id, Instant, normalizeInstant, Sort } from '../../../kernel/inputs.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { type Pipeline, type PipelineRecord, pipelineSources } from '../../code/pipeline-records/pipeline.ts'
import { completePipelines, selectPipelines } from '../../code/pipeline-records/queries.ts'
import { pipelineStatuses } from '../../code/pipeline-records/status.ts'
import { selectMergeRequestPipelines } from './merge-request-pipelines.ts'

export const listInput = {
  ...pagingEntries,
  /** `running`, `pending`, `finished`, or the newest pipeline of each branch (`branches`) or tag (`tags`). Default: all. */
  scope: v.optional(v.picklist(['running', 'pending', 'finished', 'branches', 'tags'])),
  /** Only pipelines with this status. */
  status: v.optional(v.picklist(pipelineStatuses)),
  /** Only pipelines that this created, such as `push` or `api`. */
  source: v.optional(v.picklist(pipelineSources)),
  /** Only pipelines of this branch or tag. */
  ref: v.optional(v.string()),
  /** Only pipelines of the commit with this full SHA. */
  sha: v.optional(v.string()),
  /** Only pipelines with (true) or without (false) errors in the pipeline file. */
  yamlErrors: v.optional(v.boolean()),
  /** Only pipelines that the user with this username created. */
  username: v.optional(v.string()),
  /** Only the pipeline with this number within the project. */
  iid: v.optional(Id),
  /** Only pipelines with this name. */
  name: v.optional(v.string()),
  /** Only pipelines that changed at or after this time; ISO 8601, UTC without an offset. */
  updatedAfter: v.optional(Instant),
  /** Only pipelines that last changed at or before this time; ISO 8601, UTC without an offset. */
  updatedBefore: v.optional(Instant),
  /** Only pipelines created at or after this time; ISO 8601, UTC without an offset. */
  createdAfter: v.optional(Instant),
  /** Only pipelines created at or before this time; ISO 8601, UTC without an offset. */
  createdBefore: v.optional(Instant),
  /** Value to sort by; equal values are sorted by id. Default: `id`. */
  orderBy: v.optional(v.picklist(['id', 'status', 'ref', 'updated_at', 'user_id']), 'id'),
  /** Direction of the order. Default: `desc`, newest first. */
  sort: v.optional(Sort, 'desc'),
}

type ListInput = v.InferOutput<v.ObjectSchema<typeof listInput, undefined>>
type Rows = ReturnType<typeof selectPipelines>

const sortColumns = { id: 'id', status: 'status', ref: 'ref', updated_at: 'updatedAt', user_id: 'userId' } as const

const finishedStatuses = ['success', 'failed', 'canceled'] as const

const inScope = ({ db }: Context, rows: Rows, projectId: number, scope: ListInput['scope']): Rows => {
  if (scope === undefined) return rows
  if (scope === 'finished') return rows.where('status', 'in', finishedStatuses)
  if (scope === 'running' || scope === 'pending') return rows.where('status', '=', scope)
  const newest = db
    .selectFrom('pipeline')
    .where('projectId', '=', projectId)
    .where('tag', '=', scope === 'tags')
    .where('mergeRequestId', 'is', null)
    .groupBy('ref')
    .select(({ fn }) => fn.max('id').as('id'))
  return rows.where('id', 'in', newest)
}

const matching = (ctx: Context, all: Rows, projectId: number, input: ListInput): Rows => {
  let rows = inScope(ctx, all, projectId, input.scope)
  for (const column of ['status', 'source', 'ref', 'sha', 'iid', 'name'] as const) {
    const value = input[column]
    if (value !== undefined) rows = rows.where(column, '=', value as never)
  }
  const { yamlErrors, username, updatedAfter, updatedBefore, createdAfter, createdBefore } = input
  if (yamlErrors !== undefined) rows = rows.where('yamlErrors', yamlErrors ? 'is not' : 'is', null)
  if (username !== undefined) {
    const users = ctx.db.selectFrom('user').where(lower('username'), '=', username.toLowerCase()).select('id')
    rows = rows.where('userId', 'in', users)
  }
  if (createdAfter !== undefined) rows = rows.where('createdAt', '>=', normalizeInstant(createdAfter))
  if (createdBefore !== undefined) rows = rows.where('createdAt', '<=', normalizeInstant(createdBefore))
  if (updatedAfter !== undefined) rows = rows.where('updatedAt', '>=', normalizeInstant(updatedAfter))
  if (updatedBefore !== undefined) rows = rows.where('updatedAt', '<=', normalizeInstant(updatedBefore))
  return rows
}

/** A page of the pipelines of a project or a merge request. */
export const listPipelines = async (
  ctx: Context,
  subject: Subjects['project' | 'mergeRequest'],
  input: ListInput,
): Promise<Page<Pipeline>> => {
  const { id } = subject.project
  const all = subject.kind === 'project' ? selectPipelines(ctx, id) : await selectMergeRequestPipelines(ctx, subject)
  const rows = matching(ctx, all, id, input).orderBy(sortColumns[input.orderBy], input.sort).orderBy('id', input.sort)
  const page = await paginate(rows, input, (row): PipelineRecord => row)
  return { ...page, items: await completePipelines(ctx, page.items) }
}
