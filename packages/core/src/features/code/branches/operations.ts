import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { command } from '../../../kernel/operation.ts'
import { takePrecondition } from '../../../kernel/precondition.ts'
import type { Repository } from '../../../ports/git.ts'
import { isNewReferenceName } from '../../../ports/git-binary/reference-name.ts'
import { defined } from '../../../shared/defined.ts'
import type { ReferenceAccess } from '../protected-references/reference-access.ts'
import { addBranchState } from '../repository/branch-state.ts'
import { type BranchWriter, changeBranches } from '../repository/branch-writer.ts'
import { readCommit, readCommitTime } from '../repository/opened-repository.ts'
import type { Branch } from '../repository/repository.ts'
import { branchProtection } from './protection-operations.ts'
import { branchReads } from './read-operations.ts'

const BranchName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024))

/**
 * Whether a user who cannot push to a protected branch can create it over the API: as in GitLab, if the user can merge into it, and a
 * protected branch contains the commit, which therefore was merged before.
 */
const mayCreateByMerge = async (
  repository: Repository,
  access: ReferenceAccess,
  branch: string,
  commit: string,
): Promise<boolean> => {
  if (access.canPush(branch) || !access.canMerge(branch)) return false
  const references = await repository.referencesContaining(commit)
  return references.some(
    (name) => name.startsWith('refs/heads/') && access.isProtected('branch', name.slice('refs/heads/'.length)),
  )
}

/** The first commit of an empty repository. */
const startRepository = async ({ repository, pusher, commit }: BranchWriter, branch: string, date: string) => {
  if (pusher === null || (await repository.branches()).length > 0) return
  const { name, email } = pusher
  const files = [{ path: 'README.md', content: '' }]
  await commit({ branch, message: 'Add README.md', author: { name, email, date }, parents: [], files })
}

/** Branches of the repositories of projects. */
export const branches = {
  ...branchReads,
  ...branchProtection,

  /**
   * Creates a branch at a commit. An empty repository first gets its default branch, with an empty README.
   *
   * @throws PlatformError `invalid` for an invalid or existing name, and for an unknown `ref`
   */
  create: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: {
      /** Name of the new branch. */
      branch: BranchName,
      /** A branch, tag or commit SHA at which the branch starts. */
      ref: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024)),
    },
    run: (ctx, { branch, ref }, subject) =>
      changeBranches(ctx, subject.project, async (writer): Promise<Branch> => {
        const { repository, resolve, access, moveBranches } = writer
        if (!isNewReferenceName(branch)) throw invalid('Branch name is invalid')
        await startRepository(writer, subject.project.defaultBranch, ctx.now)
        const to = await resolve(ref)
        if (to === undefined) throw invalid(`Invalid reference name: ${ref.slice(0, 100)}`)
        if ((await repository.branch(branch)) !== undefined) throw invalid('Branch already exists')
        const isPermitted = await mayCreateByMerge(repository, access, branch, to)
        await moveBranches([{ branch, to }], isPermitted ? { isPermitted } : {})
        const commit = await readCommit({ repository, projectPath: subject.project.fullPath }, to)
        const [created] = await addBranchState(repository, ctx.actor, subject, access, [{ name: branch, commit }])
        return defined(created)
      }),
  }),

  /**
   * Deletes a branch, a protected one as a maintainer or above. The default branch cannot be deleted.
   *
   * @throws PlatformError `invalid` for the default branch, `forbidden` for a protected one
   */
  remove: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: {
      /** Name of the branch, case-sensitive. */
      branch: BranchName,
    },
    run(ctx, { branch }, { project }) {
      const assertUnmodified = takePrecondition(ctx)
      return changeBranches(ctx, project, async ({ repository, moveBranches }): Promise<void> => {
        const from = await repository.branch(branch)
        if (from === undefined) throw notFound('Branch')
        if (assertUnmodified) assertUnmodified(await readCommitTime(repository, from))
        if (branch === project.defaultBranch) throw invalid('Cannot remove HEAD branch')
        await moveBranches([{ branch, from }])
      })
    },
  }),

  /** Deletes all branches whose commits are in the default branch, except protected ones. */
  removeMerged: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    run: (ctx, _input, { project }) =>
      changeBranches(ctx, project, async ({ repository, access, moveBranches }): Promise<void> => {
        const tip = await repository.branch(project.defaultBranch)
        if (tip === undefined) return
        const merged = new Set(await repository.branchesMergedInto(tip))
        const removed = (await repository.branches()).filter(
          ({ name }) => merged.has(name) && name !== project.defaultBranch && !access.isProtected('branch', name),
        )
        if (removed.length > 0) await moveBranches(removed.map(({ name, commit }) => ({ branch: name, from: commit })))
      }),
  }),
}
