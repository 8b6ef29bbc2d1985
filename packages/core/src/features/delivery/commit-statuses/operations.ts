import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName, Sort } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { webUrlProblem } from '../../administration/settings/web-url.ts'
import { requireCommit } from '../../code/commits/queries.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { completeJobs, selectJobs, selectPipelines } from '../../code/pipeline-records/queries.ts'
import { type OpenedRepository, openRepository } from '../../code/repository/opened-repository.ts'
import { resolveOptionalAuthor } from '../../planning/issuables/author.ts'
import { assertMayReportOn } from '../pipelines/reference-permission.ts'
import { type CommitStatus, commitStatusStates } from './commit-status.ts'
import { reportStatus } from './report.ts'

const Text = v.pipe(v.string(), v.maxLength(255))

const shaInput = {
  /** A commit SHA (hexadecimal, may be abbreviated), a branch or a tag of the project; at most 1,024 characters. */
  sha: v.pipe(v.string(), v.maxLength(1_024)),
}

const completeStatuses = async (ctx: Context, records: readonly PipelineJobRecord[]): Promise<CommitStatus[]> =>
  (await completeJobs(ctx, records)).map(({ user, pipeline, ...job }) => ({
    id: job.id,
    sha: pipeline.sha,
    ref: pipeline.ref,
    status: job.status,
    name: job.name,
    targetUrl: job.targetUrl,
    description: job.description,
    coverage: job.coverage,
    allowFailure: job.allowFailure,
    pipelineId: job.pipelineId,
    author: user,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt: job.finishedAt,
  }))

/** The given ref or the first branch that contains the commit, and whether it is a tag. */
const resolveRef = async ({ repository, abortable }: OpenedRepository, sha: string, ref: string | undefined) => {
  const name = ref?.replace(/^refs\/(?:heads|tags)\//, '')
  if (name !== undefined) {
    const [branch, tag] = await Promise.all([repository.branch(name), repository.tag(name)])
    return { ref: name, isTag: branch === undefined && tag !== undefined }
  }
  const names = await repository.referencesContaining(sha, abortable)
  const branch = names.find((reference) => reference.startsWith('refs/heads/'))
  if (branch === undefined) throw notFound('References for commit')
  return { ref: branch.slice('refs/heads/'.length), isTag: false }
}

const assertValidUrl = (url: string | undefined) => {
  const problem = url === undefined || url === '' ? undefined : webUrlProblem(url)
  if (problem !== undefined) throw invalid({ targetUrl: [`is blocked: ${problem}`] })
}

/** Statuses of commits, which other systems report. */
export const commitStatuses = {
  /** Lists statuses of a commit, including those of the jobs of its pipelines, by default in the order of their creation. */
  list: query({
    on: project,
    can: 'pipeline.readStatuses',
    input: {
      ...pagingEntries,
      ...shaInput,
      /** Only statuses of this branch or tag. */
      ref: v.optional(v.string()),
      /** Only statuses of this stage; `external` for those of other systems. */
      stage: v.optional(v.string()),
      /** Only statuses with this name. */
      name: v.optional(v.string()),
      /** Only statuses of the pipeline with this id. */
      pipeline: v.optional(Id),
      /** Whether to include statuses that newer ones of the same name replace. Default: false. */
      all: v.optional(v.boolean(), false),
      /** The field by which the list is sorted; equal values by id. Default: `id`, in the order of creation. */
      orderBy: v.optional(v.picklist(['id', 'pipeline_id']), 'id'),
      /** Direction of the order. Default: `asc`. */
      sort: v.optional(Sort, 'asc'),
    },
    async run(ctx, { sha, ref, stage, name, pipeline, all, orderBy, sort, ...paging }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async ({ read }): Promise<Page<CommitStatus>> => {
        const { id } = await requireCommit(opened, sha)
        return read(async (later) => {
          let pipelines = selectPipelines(later, subject.project.id).where('sha', '=', id).clearSelect().select('id')
          if (ref !== undefined) pipelines = pipelines.where('ref', '=', ref)
          if (pipeline !== undefined) pipelines = pipelines.where('id', '=', pipeline)
          let rows = selectJobs(later, subject.project.id)
            .where('pipelineId', 'in', pipelines)
            .where('kind', '<>', 'bridge')
            .orderBy(orderBy === 'id' ? 'id' : 'pipelineId', sort)
            .orderBy('id', sort)
          if (stage !== undefined) rows = rows.where('stage', '=', stage)
          if (name !== undefined) rows = rows.where('name', '=', name)
          if (!all) rows = rows.where('retried', '=', false)
          const page = await paginate(rows, paging, (row): PipelineJobRecord => row)
          return { ...page, items: await completeStatuses(later, page.items) }
        })
      })
    },
  }),

  /**
   * Reports the status of a commit. It joins the newest pipeline of the commit and ref, or creates one with the source `external`.
   * A report replaces an unfinished one with the same name by the same user; after a result, it begins a new status.
   *
   * @throws PlatformError `invalid` for a change that is not possible, such as `pending` to `pending`, `forbidden` if the branch or tag
   * is protected against the current user
   */
  create: command({
    on: project,
    can: 'pipeline.report',
    serializes: 'project',
    input: {
      ...shaInput,
      /** Status of the commit. */
      state: v.picklist(commitStatusStates),
      /** Name of the branch or tag. Default: the first branch that contains the commit. */
      ref: v.optional(Text),
      /** Name that distinguishes the statuses of a commit, at most 255 characters. Default: `context`. */
      name: v.optional(Text),
      /** Another name of `name`. Default: `default`. */
      context: v.optional(Text),
      /** URL with more information, http or https, at most 255 characters. */
      targetUrl: v.optional(Text),
      /** Text about the status, at most 255 characters. */
      description: v.optional(Text),
      /** Test coverage in percent. */
      coverage: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
      /** Id of the pipeline that the status joins, a pipeline of the commit. Default: the newest one of commit and ref. */
      pipeline: v.optional(Id),
      /** Id or username of the author; for the host application only. Default: the current user, and none for the host. */
      author: v.optional(IdOrName),
    },
    async run(ctx, { sha, state, ref, name, context, pipeline, author, ...fields }, subject) {
      assertValidUrl(fields.targetUrl)
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async ({ write }): Promise<CommitStatus> => {
        const { opened: found, id } = await requireCommit(opened, sha)
        const resolved = await resolveRef(found, id, ref)
        return write(async (later) => {
          await assertMayReportOn(later, subject.project, { name: resolved.ref, isTag: resolved.isTag })
          const userId = await resolveOptionalAuthor(later, author)
          const report = { ...resolved, sha: id, name: name || context || 'default', state, userId, pipeline }
          const jobId = await reportStatus(later, subject.project, { ...report, fields })
          const rows = await selectJobs(later, subject.project.id).where('id', '=', jobId).execute()
          return defined((await completeStatuses(later, rows))[0])
        })
      })
    },
  }),
}
