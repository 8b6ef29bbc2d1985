import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { findPusher, writeToBranches } from '../../code/repository/branch-writer.ts'
import type { ProjectDetails } from './project-record.ts'
import { readProjectDetails, reloadProject } from './read-details.ts'

const createContent = ({ name, description }: Project) => `# ${name}\n${description ? `\n${description}\n` : ''}`

/** Commits a README with the name and the description of a new project, after the project itself is committed. */
export const commitReadme = async (
  ctx: Context,
  project: Project,
  creatorId: number,
): Promise<Deferred<ProjectDetails>> => {
  const { ports, now } = ctx
  const { id, name, email } = await findPusher(ctx, creatorId)
  return afterTransaction(async ({ read, write }) => {
    const author = { name, email, date: now }
    const files = [{ path: 'README.md', content: createContent(project) }]
    await writeToBranches(
      { ports, write },
      project,
      { id, name, email },
      (branches) =>
        branches.commit({ branch: project.defaultBranch, message: 'Initial commit', author, parents: [], files }),
      { isInitial: true },
    )
    return read(async (ctx) => readProjectDetails(ctx, await reloadProject(ctx, project.id)))
  })
}
