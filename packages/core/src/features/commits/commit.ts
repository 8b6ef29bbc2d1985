import type { LineStats } from '../../ports/git.ts'
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
  /** Numbers of changed lines; absent unless requested. */
  stats?: CommitStats
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
