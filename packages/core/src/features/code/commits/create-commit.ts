import * as v from 'valibot'
import type { Project } from '../../../contract/project.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { type BranchWriter, toSignature } from '../repository/branch-writer.ts'
import { type CommitActionInput, toFileChanges } from '../repository/commit-actions.ts'

export const startProjectInput = {
  /** Id or full path of the project of `startBranch`. Only the project itself is supported. */
  startProject: v.optional(IdOrName),
}

/** @throws PlatformError `invalid` for another project */
export const assertOwnStart = ({ id, fullPath }: Project, startProject: number | string | undefined): void => {
  if (startProject === undefined) return
  const isOwn = String(startProject) === String(id) || String(startProject).toLowerCase() === fullPath.toLowerCase()
  if (!isOwn) throw invalid('start_project must be the project itself: commits cannot start at another project')
}

interface CommitInput {
  readonly branch: string
  readonly commitMessage: string
  readonly startBranch?: string | undefined
  readonly startSha?: string | undefined
  readonly actions: readonly CommitActionInput[]
  readonly authorEmail?: string | undefined
  readonly authorName?: string | undefined
  readonly force?: boolean
}

const findStart = async ({ repository, resolve }: BranchWriter, { startBranch, startSha }: CommitInput) => {
  if (startBranch !== undefined && startSha !== undefined) {
    throw invalid('start_branch and start_sha are mutually exclusive')
  }
  if (startBranch !== undefined) {
    const tip = await repository.branch(startBranch)
    if (tip === undefined) throw invalid(`Cannot find start_branch '${startBranch.slice(0, 100)}'`)
    return tip
  }
  if (startSha === undefined) return undefined
  const commit = await resolve(startSha)
  if (commit === undefined) throw invalid('Cannot find start_sha')
  return commit
}

/** The parent of the new commit; undefined for the first one of a repository. */
const findParent = async (branches: BranchWriter, input: CommitInput): Promise<string | undefined> => {
  const { repository } = branches
  const { branch, force } = input
  const tip = await repository.branch(branch)
  const start = await findStart(branches, input)
  if (start !== undefined) {
    if (tip !== undefined && input.startBranch !== branch && !force) {
      throw invalid(`A branch called '${branch}' already exists. Switch to that branch in order to make changes`)
    }
    return start
  }
  if (tip !== undefined) return tip
  if ((await repository.branches()).length === 0) return undefined
  throw invalid('You can only create or edit files when you are on a branch')
}

/** Creates a commit from actions and returns its id. The texts of errors are those of the API, which clients compare. */
export const createCommit = async (branches: BranchWriter, input: CommitInput, now: string): Promise<string> => {
  const { repository, pusher } = branches
  const { branch, commitMessage: message, actions, force = false } = input
  const author = toSignature(pusher, input, now)
  const committer = toSignature(pusher, pusher ? {} : input, now)
  const parent = await findParent(branches, input)
  const files = await toFileChanges(repository, parent, actions)
  const commit = { branch, message, author, committer, parents: parent === undefined ? [] : [parent], files }
  return branches.commit(commit, { force: force && parent !== (await repository.branch(branch)) })
}
