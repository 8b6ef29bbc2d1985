import * as v from 'valibot'
import { projectNamespace } from '../../../access/subjects.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { atLeastOne, IdOrName } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { createProject } from './create-project.ts'
import { detailsInput, nameInput } from './details-input.ts'
import type { ProjectDetails } from './project-record.ts'
import { readProjectDetails } from './read-details.ts'
import { commitReadme } from './readme.ts'

export const projectManagement = {
  /**
   * Creates a project in a group, in the current user's own namespace or, for administrators, in that of another user. Fails
   * with `invalid` if the owner's limit of personal projects is reached, and with `conflict` if its path is taken.
   */
  create: command({
    on: projectNamespace,
    can: 'project.create',
    serializes: 'instance',
    input: {
      ...nameInput,
      /**
       * Id or full path of the project that the new one is a fork of. The current user must be able to read its code. The
       * repository is not copied.
       */
      forkedFrom: v.optional(IdOrName),
      /**
       * Whether to create the repository with a README, which contains the name and the description. The host needs a
       * personal namespace for it, whose owner is the author. Default: false.
       */
      initializeWithReadme: v.optional(v.boolean(), false),
      /** The kind of ids in the repository: only `sha1`. */
      repositoryObjectFormat: v.optional(v.picklist(['sha1'])),
      ...detailsInput,
    },
    rules: [atLeastOne('name', 'path')],
    async run(
      ctx,
      { initializeWithReadme, ...input },
      { namespace, creatorId: forUser },
    ): Promise<ProjectDetails | Deferred<ProjectDetails>> {
      const creatorId = forUser ?? (ctx.actor.kind === 'user' ? ctx.actor.id : namespace.ownerId)
      const project = await createProject(ctx, namespace, { ...input, creatorId })
      if (!initializeWithReadme || creatorId === null) return readProjectDetails(ctx, project)
      return commitReadme(ctx, project, creatorId)
    },
  }),
}
