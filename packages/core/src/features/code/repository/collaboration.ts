import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { readReferenceAccess, readViewerAccess } from '../protected-references/reference-access.ts'

/** Merge requests that are examined for one push. */
const maxMergeRequests = 1_000

/**
 * The branches of a fork to which the current user may push as a member of another project: those of open merge requests whose
 * authors allow it, into branches that the current user may push to. Both projects are not private, and the branches not
 * protected.
 */
export const readCollaborationBranches = async (
  ctx: Context,
  source: Project,
  branch?: string,
): Promise<ReadonlySet<string>> => {
  if (ctx.actor.kind !== 'user' || source.visibility === 'private' || source.archived) return new Set()
  const rows = ctx.db
    .selectFrom('mergeRequest')
    .where('sourceProjectId', '=', source.id)
    .where('projectId', '<>', source.id)
    .where('state', '=', 'opened')
    .where('allowCollaboration', '=', true)
    .limit(maxMergeRequests)
    .select(['projectId', 'sourceBranch', 'targetBranch'])
  const open = await (branch === undefined ? rows : rows.where('sourceBranch', '=', branch)).execute()
  const branches = new Set<string>()
  if (open.length === 0) return branches
  const sourceAccess = await readReferenceAccess(ctx, source, ctx.actor.id)
  for (const [projectId, ofProject] of Map.groupBy(open, (row) => row.projectId)) {
    const project = await findProject(ctx, projectId)
    if (project === undefined || project.visibility === 'private') continue
    const access = await getProjectAccessLevel(ctx, project)
    if (!hasAbility(ctx.actor, { kind: 'project', project, access }, 'code.push')) continue
    const targetAccess = await readViewerAccess(ctx, project)
    for (const { sourceBranch, targetBranch } of ofProject) {
      if (targetAccess.canMerge(targetBranch) && !sourceAccess.isProtected('branch', sourceBranch))
        branches.add(sourceBranch)
    }
  }
  return branches
}

/** Whether the current user may push to a branch of a fork, as its member or as a member of another project. */
export const mayPushToFork = async (ctx: Context, fork: Project, branch: string): Promise<boolean> => {
  const access = await getProjectAccessLevel(ctx, fork)
  if (hasAbility(ctx.actor, { kind: 'project', project: fork, access }, 'code.push')) return true
  return (await readCollaborationBranches(ctx, fork, branch)).has(branch)
}
