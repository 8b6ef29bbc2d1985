import type { Project } from '../../contract/project.ts'
import type { ReferenceUpdate, Repository } from '../../ports/git.ts'

/** Whether no one can delete a branch, or replace commits of it. Only the default branch is protected. */
export const isProtectedBranch = ({ defaultBranch }: Pick<Project, 'defaultBranch'>, branch: string): boolean =>
  branch === defaultBranch

/** References that the platform or GitLab create themselves. */
const reservedReference = /^refs\/(forgelet|merge-requests|keep-around|environments|pipelines)\//

/** The name of a branch: `main` for `refs/heads/main`. Undefined for other references. */
const toBranchName = (reference: string): string | undefined => /^refs\/heads\/(.+)$/s.exec(reference)?.[1]

/** Why a client must not change a reference, in words for the user of git; undefined if it may. Does not read the objects. */
export const findNameRefusal = (
  project: Pick<Project, 'defaultBranch'>,
  { name, to }: ReferenceUpdate,
): string | undefined => {
  if (reservedReference.test(name)) return 'the reference belongs to the platform'
  const branch = toBranchName(name)
  if (branch !== undefined && to === undefined && isProtectedBranch(project, branch)) {
    return 'The default branch of a project cannot be deleted.'
  }
  return undefined
}

/** Why the objects of a change do not permit it; undefined if they do. The repository contains the objects. */
export const findObjectRefusal = async (
  repository: Repository,
  project: Pick<Project, 'defaultBranch'>,
  { name, from, to }: ReferenceUpdate,
): Promise<string | undefined> => {
  const branch = toBranchName(name)
  if (branch === undefined || to === undefined) return undefined
  if ((await repository.commit(to)) === undefined) return 'a branch must point to a commit'
  if (from === undefined || !isProtectedBranch(project, branch)) return undefined
  return (await repository.isAncestor(from, to))
    ? undefined
    : 'You are not allowed to force push code to a protected branch on this project.'
}
