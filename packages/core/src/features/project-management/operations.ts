import * as v from 'valibot'
import { namespace, personalNamespace } from '../../access/subjects.ts'
import type { Namespace } from '../../contract/namespace.ts'
import type { Context } from '../../kernel/context.ts'
import type { Deferred } from '../../kernel/deferred.ts'
import { atLeastOne, IdOrName } from '../../kernel/inputs.ts'
import { command } from '../../kernel/operation.ts'
import { detailsInput } from '../projects/details-input.ts'
import type { ProjectDetails } from '../projects/project-record.ts'
import { readProjectDetails } from '../projects/read-details.ts'
import { createProject, type NewProject } from './create-project.ts'
import { commitReadme } from './readme.ts'

const newProjectInput = {
  /** Name for display, 1 to 255 characters. Default: the path. */
  name: v.optional(v.string()),
  /**
   * Last segment of the URL: letters, digits, `_`, `-` and `.`, not starting with `-` or `.`. Default: derived from
   * the name.
   */
  path: v.optional(v.string()),
  /**
   * Id or full path of the project that the new one is a fork of. The caller must be able to read its code. The
   * repository is not copied.
   */
  forkedFrom: v.optional(IdOrName),
  /**
   * Whether to create the repository with a README, which contains the name and the description. The host needs a
   * personal namespace for it, whose owner is the author. Default: false.
   */
  initializeWithReadme: v.optional(v.boolean(), false),
  ...detailsInput,
}

const create = async (
  ctx: Context,
  namespace: Namespace,
  creatorId: number | null,
  { initializeWithReadme, ...input }: Omit<NewProject, 'creatorId'> & { readonly initializeWithReadme: boolean },
): Promise<ProjectDetails | Deferred<ProjectDetails>> => {
  const project = await createProject(ctx, namespace, { ...input, creatorId })
  if (!initializeWithReadme || creatorId === null) return readProjectDetails(ctx, project)
  return commitReadme(ctx, project, creatorId)
}

export const projectManagement = {
  /**
   * Creates a project in a group or in the caller's own namespace. Fails with `invalid` if the owner's limit of personal
   * projects is reached, and with `conflict` if its path is taken.
   */
  create: command({
    on: namespace,
    can: 'project.create',
    serializes: 'instance',
    input: newProjectInput,
    rules: [atLeastOne('name', 'path')],
    async run(ctx, input, { namespace }): Promise<ProjectDetails | Deferred<ProjectDetails>> {
      return create(ctx, namespace, ctx.actor.kind === 'user' ? ctx.actor.id : namespace.ownerId, input)
    },
  }),

  /** Creates a project in the personal namespace of another user, who is its creator. */
  createForUser: command({
    on: personalNamespace,
    can: 'project.createForUser',
    serializes: 'instance',
    input: newProjectInput,
    rules: [atLeastOne('name', 'path')],
    async run(ctx, input, { namespace }): Promise<ProjectDetails | Deferred<ProjectDetails>> {
      return create(ctx, namespace, namespace.ownerId, input)
    },
  }),
}
