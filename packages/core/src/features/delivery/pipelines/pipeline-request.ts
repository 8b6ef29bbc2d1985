import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Repository } from '../../../ports/git.ts'
import type { PipelineSource } from '../../code/pipeline-records/pipeline.ts'
import type { MergeRequestRecord } from '../../collaboration/merge-requests/merge-request.ts'
import type { NewPipeline } from './mutations.ts'
import type { PipelineInputs } from './pipeline-input.ts'
import type { PipelineVariable } from './variables.ts'

export interface PipelineRequest {
  /** Name of a branch or tag, with or without `refs/heads/` or `refs/tags/`. */
  readonly ref: string
  readonly source: PipelineSource
  readonly variables?: readonly PipelineVariable[]
  /** Values for the inputs that the pipeline file declares, by name. */
  readonly inputs?: PipelineInputs
  /** SHA of another commit than the newest one. */
  readonly sha?: string
  /** Text of a pipeline file that replaces the one of the commit. */
  readonly config?: string
  /** The pipeline of the same project whose artifacts the file can include. */
  readonly parentPipelineId?: number
  /** The job that starts the pipeline. */
  readonly upstream?: Required<Pick<NewPipeline, 'upstreamJobId' | 'rootPipelineId'>>
  /** SHA of the branch before a push, from which its changes are computed. */
  readonly before?: string | null
  /** Whether the rules know the stored variables. Default: true. */
  readonly readsVariables?: boolean
  /** Runs in the transaction that creates the pipeline. */
  readonly onCreate?: (ctx: Context, pipeline: { readonly id: number }) => Promise<void>
  readonly mergeRequest?:
    | Pick<
        MergeRequestRecord,
        'id' | 'iid' | 'title' | 'sourceBranch' | 'targetBranch' | 'projectId' | 'sourceProjectId'
      >
    | undefined
  /** SHA of the merge base, for a pipeline that runs in a fork. Its repository does not have the target branch. */
  readonly mergeBase?: string | undefined
}

/** A branch or tag of a pipeline. */
export interface PipelineTarget {
  readonly repository: Repository
  readonly name: string
  readonly sha: string
  readonly isTag: boolean
}

export const failure = (...messages: readonly string[]) => invalid({ base: messages })

/** @throws PlatformError `invalid` if there is no such branch, tag or head of a merge request */
export const findTarget = async (repository: Repository | undefined, reference: string): Promise<PipelineTarget> => {
  if (/^refs\/merge-requests\/\d+\/head$/.test(reference)) {
    const head = await repository?.reference(reference)
    if (repository === undefined || head === undefined) throw failure('Reference not found')
    return { repository, name: reference, sha: head, isTag: false }
  }
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
