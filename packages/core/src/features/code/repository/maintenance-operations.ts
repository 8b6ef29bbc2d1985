import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { command, query } from '../../../kernel/operation.ts'
import { withDefaultSettings } from '../../spaces/projects/settings.ts'

/** Where the repository of a project is stored. */
export interface ProjectStorage {
  /** Id of the project. */
  projectId: number
  /** Path below the repository folder, or an absolute path that the host owns; null before the first push. */
  diskPath: string | null
  /** Name of the storage, from the settings of the project. */
  repositoryStorage: string
  /** When the repository was created, or before the first push the project: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

export const maintenanceOperations = {
  /** Packs the objects and references of a repository in a job. Does nothing for a project without a repository. */
  maintain: command({
    on: project,
    can: 'repository.maintain',
    serializes: 'project',
    input: {
      /** `prune` also removes objects that nothing refers to and that are older than 30 minutes, `eager` those of two weeks. */
      task: v.optional(v.picklist(['prune', 'eager']), 'eager'),
    },
    async run(ctx, { task }, { project }) {
      const key = task === 'prune' ? `${project.id} prune` : String(project.id)
      await ctx.enqueue('repository.maintain', { projectId: project.id, prune: task === 'prune' }, { key })
    },
  }),

  /** Gets the place where the repository of a project is stored. */
  getStorage: query({
    on: project,
    can: 'repository.readStorage',
    async run(ctx, _input, { project }): Promise<ProjectStorage> {
      const row = await ctx.db
        .selectFrom('project')
        .leftJoin('projectRepository as repository', 'repository.projectId', 'project.id')
        .where('project.id', '=', project.id)
        .select([
          'repository.place',
          'repository.createdAt',
          'project.createdAt as projectCreatedAt',
          'project.settings',
        ])
        .executeTakeFirstOrThrow()
      const { place: diskPath, createdAt: repositoryCreatedAt, projectCreatedAt, settings } = row
      const createdAt = repositoryCreatedAt ?? projectCreatedAt
      const { repositoryStorage } = withDefaultSettings(settings)
      return { projectId: project.id, diskPath, repositoryStorage, createdAt }
    },
  }),
}
