import { getProjectAccessLevels } from '../../../access/actor-levels.ts'
import { findProject } from '../../../access/projects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'

/** The projects, of those with these ids, whose pipelines the current user can see. */
export const findProjectsWithReadablePipelines = async (
  ctx: Context,
  projectIds: readonly number[],
): Promise<ReadonlySet<number>> => {
  const ids = [...new Set(projectIds)]
  if (!ids.length) return new Set()
  const levelOf = await getProjectAccessLevels(ctx, ids)
  const projects = await awaitAll(ids.map(async (id) => findProject(ctx, id)))
  return new Set(
    projects.flatMap((project) => {
      const subject = project && ({ kind: 'project', project, access: levelOf(project.id) } as const)
      return subject && hasAbility(ctx.actor, subject, 'pipeline.read') ? [subject.project.id] : []
    }),
  )
}
