import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { readPermissions } from './permissions.ts'
import type { ProjectDetails } from './project-record.ts'
import { type RecordOptions, readProjectRecords } from './record-queries.ts'

/** The row of a project after a change. */
export const reloadProject = async (ctx: Context, id: number): Promise<Project> => {
  const project = await findProject(ctx, id)
  if (!project) throw notFound('Project')
  return { ...project }
}

/** The full record of a project, with the current user's access levels. */
export const readProjectDetails = async (
  ctx: Context,
  project: Project,
  options: RecordOptions = {},
): Promise<ProjectDetails> => {
  const [[record], permissionsOf] = await awaitAll([
    readProjectRecords(ctx, [project], options),
    readPermissions(ctx, [project]),
  ])
  return { ...defined(record), permissions: permissionsOf(project) }
}
