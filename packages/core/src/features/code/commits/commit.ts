import type { LineStats } from '../../../ports/git.ts'
import type { Pipeline } from '../pipeline-records/pipeline.ts'
import type { PipelineStatus } from '../pipeline-records/status.ts'
import type { RepositoryCommit } from '../repository/repository.ts'

/** Numbers of changed lines of a commit, compared with its first parent. */
export interface CommitStats {
  /** Number of added lines, without binary files. */
  additions: number
  /** Number of removed lines, without binary files. */
  deletions: number
  /** Sum of both. */
  total: number
}

/** A commit with the numbers of its changed lines, if they were requested. */
export interface CommitDetails extends RepositoryCommit {
  /** Id of the project. */
  projectId: number
  /** Status of the newest pipeline of the commit; null without one, and in lists. */
  status: PipelineStatus | null
  /** Newest pipeline of the commit; null without one, and in lists. */
  lastPipeline: Pipeline | null
  /** Numbers of changed lines; omitted unless requested. */
  stats?: CommitStats
}

/** The position of a commit in the history. */
export interface CommitSequence {
  /** Number of commits that can be reached from the commit, including itself. */
  count: number
}

/** A branch or tag that contains a commit. */
export interface CommitReference {
  /** Whether it is a branch or a tag. */
  type: 'branch' | 'tag'
  /** Name without `refs/heads/` or `refs/tags/`. */
  name: string
}

/** The result of a cherry-pick or revert that was only tried. */
export interface DryRun {
  /** Always `success`; a conflict is an error. */
  dryRun: 'success'
}

export const toStats = ({ additions, deletions }: LineStats): CommitStats => ({
  additions,
  deletions,
  total: additions + deletions,
})
