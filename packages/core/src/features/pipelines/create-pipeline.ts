import type { Project } from '../../contract/project.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Repository } from '../../ports/git.ts'
import { loadProjectSettings } from '../merge-requests/mergeability.ts'
import type { Pipeline, PipelineSource } from '../pipeline-records/pipeline.ts'
import { findGitRepository } from '../repository/queries.ts'
import { findTreeEntry } from '../repository/tree-entries.ts'
import { insertJobs, insertPipeline, type NewJob, settleJobs } from './mutations.ts'
import type { PipelineVariable } from './variables.ts'

/** The part of a deferred operation or a job that `createPipeline` uses. */
interface PipelineWriter {
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

export interface PipelineRequest {
  /** Name of a branch or tag, with or without `refs/heads/` or `refs/tags/`. */
  readonly ref: string
  readonly source: PipelineSource
  /** The user who creates the pipeline; null for the host. */
  readonly userId: number | null
  readonly variables?: readonly PipelineVariable[]
  /** For pipelines of merge requests: the ref of the pipeline differs from the branch that it reads. */
  readonly mergeRequest?: { readonly id: number; readonly iid: number }
}

/** Greatest size of a pipeline file in bytes. */
const maxFileBytes = 1_048_576

const defaultPath = '.gitlab-ci.yml'

const failure = (message: string) => invalid({ base: [message] })

const resolveReference = async (repository: Repository | undefined, reference: string) => {
  const name = reference.replace(/^refs\/(?:heads|tags)\//, '')
  const [branch, tag] = repository
    ? await Promise.all([
        reference.startsWith('refs/tags/') ? undefined : repository.branch(name),
        reference.startsWith('refs/heads/') ? undefined : repository.tag(name),
      ])
    : []
  const sha = branch ?? tag
  if (repository === undefined || sha === undefined) throw failure('Reference not found')
  return { repository, name, sha, isTag: branch === undefined }
}

const readPipelineFile = async (repository: Repository, sha: string, path: string): Promise<string> => {
  const entry = await findTreeEntry(repository, sha, path)
  const blob = entry?.type === 'blob' ? await repository.blob(entry.id, { maximumBytes: maxFileBytes }) : undefined
  if (blob === undefined) throw failure('Missing CI config file')
  return new TextDecoder().decode(blob.content)
}

/** The jobs of a pipeline file. */
const planJobs = (_text: string): readonly NewJob[] => {
  throw failure('Missing CI config file')
}

/**
 * Creates a pipeline with the jobs of the pipeline file at a branch or tag. Reads git, so it runs after the transaction of an
 * operation, or in a job. Nothing is executed: the host reports the results of the jobs.
 *
 * @throws PlatformError `invalid` with the reason if the ref or the file is missing, or the file is not valid
 */
export const createPipeline = async (
  { write }: PipelineWriter,
  { id: projectId }: Pick<Project, 'id'>,
  { ref, source, userId, variables = [], mergeRequest }: PipelineRequest,
): Promise<Pipeline> => {
  const { repository, path } = await write(async (ctx) => ({
    repository: await findGitRepository(ctx, projectId),
    path: (await loadProjectSettings(ctx, [projectId])).get(projectId)?.ciConfigPath || defaultPath,
  }))
  const found = await resolveReference(repository, ref)
  const jobs = planJobs(await readPipelineFile(found.repository, found.sha, path))
  return write(async (ctx) => {
    const record = await insertPipeline(ctx, {
      projectId,
      ref: mergeRequest ? `refs/merge-requests/${mergeRequest.iid}/head` : found.name,
      tag: found.isTag,
      sha: found.sha,
      source,
      userId,
      variables,
      mergeRequestId: mergeRequest?.id ?? null,
    })
    await insertJobs(ctx, record, jobs)
    return settleJobs(ctx, record, undefined, { isNew: true })
  })
}
