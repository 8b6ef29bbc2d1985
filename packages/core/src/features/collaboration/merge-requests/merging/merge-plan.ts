import type { Abortable, Repository, Signature } from '../../../../ports/git.ts'
import { defined } from '../../../../shared/defined.ts'
import type { ProjectSettings } from '../../../spaces/projects/settings.ts'
import { branchNotMergeableError } from './merge-errors.ts'

export interface MergePlanInput {
  readonly repository: Repository
  readonly abortable: Abortable
  readonly method: ProjectSettings['mergeMethod']
  readonly isSquashed: boolean
  /** Tips of the branches. */
  readonly source: string
  readonly target: string
  readonly mergeMessage: string
  readonly squashMessage: string
  /** The author of the squash commit. */
  readonly author: Signature
  /** The user who merges: the committer of the squash commit, and the author of the merge commit. */
  readonly merger: Signature
}

/** The commits of a merge, which no branch contains yet. */
export interface MergePlan {
  /** The new tip of the target branch. */
  readonly tip: string
  readonly mergeCommitSha: string | null
  readonly squashCommitSha: string | null
}

/** Without commits on the target branch only, the result of a merge is the source branch. */
const mergeToTree = async (
  { repository, abortable, source, target }: MergePlanInput,
  isBehind: boolean,
): Promise<string> => {
  if (!isBehind) {
    const commit = await repository.commit(source)
    if (commit === undefined) throw branchNotMergeableError()
    return commit.tree
  }
  const { tree, conflicts } = await repository.mergeTrees({ ours: target, theirs: source, ...abortable })
  if (conflicts.length > 0) throw branchNotMergeableError()
  return tree
}

/**
 * Writes the commits of a merge. Moves no branch. The target branch must not contain the source branch.
 *
 * @throws PlatformError `unprocessable` for conflicts, unrelated histories, and methods that require a rebase first
 */
export const planMerge = async (input: MergePlanInput, base: string | undefined): Promise<MergePlan> => {
  const { repository, method, isSquashed, source, target, author, merger } = input
  const isBehind = base !== target
  if (base === undefined || (isBehind && method !== 'merge')) throw branchNotMergeableError()
  if (method === 'ff' && !isSquashed) return { tip: source, mergeCommitSha: null, squashCommitSha: null }
  const tree = await mergeToTree(input, isBehind)
  const squashCommitSha = isSquashed
    ? await repository.writeCommit({ tree, parents: [target], message: input.squashMessage, author, committer: merger })
    : null
  if (method === 'ff') return { tip: defined(squashCommitSha), mergeCommitSha: null, squashCommitSha }
  const parents = [target, squashCommitSha ?? source]
  const tip = await repository.writeCommit({ tree, parents, message: input.mergeMessage, author: merger })
  return { tip, mergeCommitSha: tip, squashCommitSha }
}
