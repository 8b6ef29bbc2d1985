import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findPastActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { readReferenceAccess } from '../../code/protected-references/reference-access.ts'
import { isFromFork } from './merge-request.ts'

type MergeRequestInProject = Pick<Subjects['mergeRequest'], 'project' | 'mergeRequest'>

/** The project with the source branch; undefined if it was removed. */
export const findSourceProject = async (
  ctx: Context,
  { project, mergeRequest: { sourceProjectId } }: MergeRequestInProject,
): Promise<Project | undefined> => {
  if (sourceProjectId === project.id) return project
  return sourceProjectId === null ? undefined : findProject(ctx, sourceProjectId)
}

/** Whether a user may push to a project as its member; the host (null) may. */
export const mayPushTo = async (ctx: Context, project: Project, userId: number | null): Promise<boolean> => {
  if (userId === null) return true
  const isCaller = ctx.actor.kind === 'user' && ctx.actor.id === userId
  const actor = isCaller ? ctx.actor : await findPastActor(ctx, userId, 'merge')
  const access = await getProjectAccessLevel(ctx.actAs(actor), project)
  return hasAbility(actor, { kind: 'project', project, access }, 'code.push')
}

/**
 * Whether a merge by a user may remove the source branch: never a protected or default one, and in a fork only for users who
 * may push there.
 */
export const canRemoveSourceBranch = async (
  ctx: Context,
  subject: MergeRequestInProject,
  userId: number | null,
): Promise<boolean> => {
  const { sourceBranch } = subject.mergeRequest
  const source = await findSourceProject(ctx, subject)
  if (source === undefined || sourceBranch === source.defaultBranch) return false
  const access = await readReferenceAccess(ctx, source, userId)
  if (access.isProtected('branch', sourceBranch)) return false
  return !isFromFork(subject.mergeRequest) || mayPushTo(ctx, source, userId)
}
