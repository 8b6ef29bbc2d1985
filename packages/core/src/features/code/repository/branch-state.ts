import type { Subjects } from '../../../contract/subjects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { Repository } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import { type ReferenceAccess, readViewerAccess } from '../protected-references/reference-access.ts'
import { openRepository, readCommit } from './opened-repository.ts'
import type { Branch, RepositoryCommit } from './repository.ts'

/** Adds what the API says about branches to their names and commits. */
export const addBranchState = async (
  repository: Repository,
  actor: Actor,
  subject: Subjects['project'],
  access: ReferenceAccess,
  branches: readonly { readonly name: string; readonly commit: RepositoryCommit }[],
): Promise<Branch[]> => {
  const { project } = subject
  const tip = await repository.branch(project.defaultBranch)
  const merged = new Set(tip === undefined || branches.length === 0 ? [] : await repository.branchesMergedInto(tip))
  const canPush = hasAbility<'project'>(actor, subject, 'code.push')
  return branches.map(({ name, commit }) => ({
    name,
    commit,
    canPush: canPush && access.canPush(name),
    projectPath: project.fullPath,
    default: name === project.defaultBranch,
    // The default branch itself is not merged into another one.
    merged: merged.has(name) && name !== project.defaultBranch,
    protected: access.isProtected('branch', name),
    developersCanPush: access.developersCan('push', name),
    developersCanMerge: access.developersCan('merge', name),
  }))
}

/** Reads a branch by name, after the transaction. */
export const readBranchByName = async (
  ctx: Context,
  subject: Subjects['project'],
  name: string,
): Promise<() => Promise<Branch>> => {
  const { actor } = ctx
  const opened = await openRepository(ctx, subject)
  const access = await readViewerAccess(ctx, subject.project)
  return async () => {
    const id = await opened?.repository.branch(name)
    if (opened === undefined || id === undefined) throw notFound('Branch')
    const branch = { name, commit: await readCommit(opened, id) }
    return defined((await addBranchState(opened.repository, actor, subject, access, [branch]))[0])
  }
}
