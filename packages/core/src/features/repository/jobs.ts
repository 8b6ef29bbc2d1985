import { job } from '../../jobs.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import { isBelowFolder } from '../../ports/repositories.ts'
import { findProject } from '../projects/queries.ts'
import { keepState } from './kept-state.ts'
import { isInUse } from './queries.ts'
import { existingForWriting } from './writable-repository.ts'

/** Deletes the repository of a project that is gone. Those of the host's own, and those that others look into, stay. */
export const deleteRepositoryFiles = job('repository.remove', {
  async run({ ports: { git, repositories }, read }, { place }) {
    if (!isBelowFolder(place) || !repositories.isOwn(place) || (await read((handle) => isInUse(handle, place)))) return
    try {
      await git.remove(repositories.directoryOf(place))
    } catch (error) {
      // It went in an earlier run that did not come to its end.
      if (!isPlatformError(error) || error.code !== 'not_found') throw error
    }
  },
})

/** Lets the repository itself name the default branch, and shows what that branch holds. */
export const followDefaultBranch = job('repository.followDefaultBranch', {
  async run({ ports, write }, { projectId }) {
    const project = await write(async (ctx) => findProject(ctx, projectId))
    const repository = project && (await existingForWriting({ ports, write }, projectId))
    if (project === undefined || repository === undefined) return
    if ((await repository.branch(project.defaultBranch)) === undefined) return
    await repository.setHead(project.defaultBranch)
    await keepState(write, repository, project.id)
  },
})
