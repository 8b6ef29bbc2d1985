import * as v from 'valibot'
import { projectNamespace } from '../../../access/subjects.ts'
import type { Namespace } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { atLeastOne, IdOrName, mutuallyExclusive } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { copyAfterTransaction } from '../../code/forks/copy-repository.ts'
import { createProject, type NewProject } from './create-project.ts'
import { detailsInput, nameInput } from './details-input.ts'
import { afterUrlCheck, enqueueImport, parseImportUrl, scheduledImport } from './import-source.ts'
import type { ProjectDetails } from './project-record.ts'
import { findTemplate, splitTemplate, templateInput } from './project-template.ts'
import { changePullMirror, isGiven, pullMirrorInput, splitPullMirror } from './pull-mirror.ts'
import { readProjectDetails } from './read-details.ts'
import { commitReadme } from './readme.ts'

/** Creates a project whose repository a job imports. The address is checked before, outside of the transaction. */
const createImport = async (ctx: Context, namespace: Namespace, input: NewProject, importUrl: string) => {
  const target = await parseImportUrl(ctx, importUrl)
  return afterUrlCheck(ctx, target, async (ctx): Promise<ProjectDetails> => {
    const settings = { ...input.settings, ...scheduledImport(target) }
    const project = await createProject(ctx, namespace, { ...input, settings })
    await enqueueImport(ctx, project.id, target)
    const { mirrorChange } = splitPullMirror(input)
    if (isGiven(mirrorChange)) await changePullMirror(ctx, project, { ...mirrorChange, importUrl: target })
    return readProjectDetails(ctx, project)
  })
}

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
      /**
       * Address of a git repository with the scheme `https`, `http`, `ssh` or `git`, which a job copies to the project: all branches
       * and tags. It may contain a user name and password, which are stored encrypted until the import has ended and never returned. Instead of `initializeWithReadme`.
       */
      importUrl: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(2048))),
      /** The kind of ids in the repository: only `sha1`. */
      repositoryObjectFormat: v.optional(v.picklist(['sha1'])),
      ...templateInput,
      ...detailsInput,
      ...pullMirrorInput,
    },
    rules: [
      atLeastOne('name', 'path'),
      mutuallyExclusive('templateName', 'templateProject'),
      ({ useCustomTemplate, importUrl }) =>
        useCustomTemplate && importUrl !== undefined
          ? { fields: ['useCustomTemplate', 'importUrl'], message: 'are mutually exclusive' }
          : undefined,
    ],
    async run(
      ctx,
      { initializeWithReadme, importUrl, ...given },
      { namespace, creatorId: forUser },
    ): Promise<ProjectDetails | Deferred<ProjectDetails>> {
      const creatorId = forUser ?? (ctx.actor.kind === 'user' ? ctx.actor.id : namespace.ownerId)
      const { template: reference, rest: input } = splitTemplate(given)
      const template = await findTemplate(ctx, namespace, reference)
      if (template) {
        const settings = {
          ...input.settings,
          importStatus: 'started',
          importType: 'gitlab_custom_project_template',
        } as const
        const { defaultBranch } = template
        const { id } = await createProject(ctx, namespace, { ...input, settings, defaultBranch, creatorId })
        return copyAfterTransaction(ctx, { from: template.id, to: id })
      }
      if (importUrl !== undefined) return createImport(ctx, namespace, { ...input, creatorId }, importUrl)
      const project = await createProject(ctx, namespace, { ...input, creatorId })
      await changePullMirror(ctx, project, splitPullMirror(input).mirrorChange)
      if (!initializeWithReadme || creatorId === null) return readProjectDetails(ctx, project)
      return commitReadme(ctx, project, creatorId)
    },
  }),
}
