import * as v from 'valibot'
import { getLessVisible, visibilities } from '../../../access/levels.ts'
import { withMemberProjects } from '../../../access/project-access.ts'
import { namespace as namespaceSubject, project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { conflict, forbidden, notFound } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage } from '../../../kernel/paging.ts'
import { ProjectDescription } from '../../../kernel/text-limits.ts'
import { assertAbility, hasAbility } from '../../../policy/authorize.ts'
import { isFeatureEnabled } from '../../../policy/rules.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { isOutside } from '../../accounts/namespaces/inherited-settings.ts'
import { createProject } from '../../spaces/projects/create-project.ts'
import { assertNotMoreVisible } from '../../spaces/projects/fork-visibility.ts'
import { projectFilters, projectPageWithAccess, selectReadableProjects } from '../../spaces/projects/project-list.ts'
import type { ProjectDetails } from '../../spaces/projects/project-record.ts'
import { readProjectDetails, reloadProject } from '../../spaces/projects/read-details.ts'
import { withDefaultSettings } from '../../spaces/projects/settings.ts'
import { copyAfterTransaction } from './copy-repository.ts'

const readForkState = async (ctx: Context, { id }: Project) => {
  const row = await ctx.db
    .selectFrom('project')
    .where('id', '=', id)
    .select(['settings', 'forkedFromId'])
    .executeTakeFirstOrThrow()
  return { forkedFromId: row.forkedFromId, settings: withDefaultSettings(row.settings) }
}

const setForkSource = async (ctx: Context, { id }: Project, forkedFromId: number | null) => {
  await ctx.db.updateTable('project').set({ forkedFromId, updatedAt: ctx.now }).where('id', '=', id).execute()
  return readProjectDetails(ctx, await reloadProject(ctx, id))
}

export const forks = {
  /**
   * Creates a fork: a new project with a copy of the branches and tags. The current user must be able to read the code, and to create
   * projects in the namespace.
   *
   * @throws PlatformError `forbidden` where forking is disabled, `conflict` when the path is taken
   */
  create: command({
    on: project,
    can: 'project.fork',
    serializes: 'instance',
    input: {
      /** Id or full path of the group or user that the fork belongs to. Default: the current user's personal namespace. */
      namespace: v.optional(IdOrName),
      /** Name for display, 1 to 255 characters. Default: that of the project. */
      name: v.optional(v.string()),
      /** Last segment of the URL. Default: that of the project. */
      path: v.optional(v.string()),
      /** Free text. Default: that of the project. */
      description: v.optional(v.nullable(ProjectDescription)),
      /** The only branch to copy, with the tags of its commits. Default: all branches and tags. */
      branches: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))),
      /** Whether merge requests of the fork are proposed to itself and not to the project. Default: false. */
      mrDefaultTargetSelf: v.optional(v.boolean(), false),
      /** Who can see the fork: at most the visibility of the project and the namespace, which is the default. */
      visibility: v.optional(v.picklist(visibilities)),
    },
    async run(
      ctx,
      { namespace: ref, visibility, branches: branch, mrDefaultTargetSelf, ...input },
      subject,
    ): Promise<Deferred<ProjectDetails>> {
      const source = subject.project
      const { settings } = await readForkState(ctx, source)
      if (!isFeatureEnabled(settings.forkingAccessLevel, subject.access, ctx.actor))
        throw forbidden('Forking is disabled for this project')
      const target = await loadVisible(ctx, namespaceSubject, { namespace: ref })
      assertAbility(ctx.actor, target, 'project.create')
      const places = { from: source.namespaceId, to: target.namespace.id }
      if (await isOutside(ctx, 'preventForkingOutsideGroup', places))
        throw forbidden('Forking outside the group is not allowed')
      const highest = getLessVisible(source.visibility, target.namespace.visibility)
      const fork = await createProject(ctx, target.namespace, {
        name: input.name ?? source.name,
        path: input.path ?? source.path,
        description: input.description === undefined ? source.description : input.description,
        visibility: getLessVisible(visibility ?? highest, highest),
        defaultBranch: branch ?? source.defaultBranch,
        forkedFrom: source.id,
        settings: {
          importStatus: 'started',
          tagList: settings.tagList,
          ...(mrDefaultTargetSelf && { mrDefaultTargetSelf }),
        },
        creatorId: ctx.actor.kind === 'user' ? ctx.actor.id : target.namespace.ownerId,
      })
      return copyAfterTransaction(ctx, { from: source.id, to: fork.id, branch })
    },
  }),

  /** Lists the forks of a project that the current user can see, by default the newest first. */
  list: query({
    on: project,
    can: 'project.read',
    input: projectFilters,
    rules: [cursorInsteadOfPage],
    async run(ctx, filters, { project }) {
      const listCtx = await withMemberProjects(ctx)
      const forks = selectReadableProjects(listCtx).where('project.forkedFromId', '=', project.id)
      return projectPageWithAccess(listCtx, forks, filters)
    },
  }),

  /**
   * Makes an existing project a fork of another one, whose code the current user can read. Nothing is copied.
   *
   * @throws PlatformError `conflict` when the project is a fork already, `invalid` when it is more visible than the other one
   */
  link: command({
    on: project,
    can: 'project.setForkSource',
    input: {
      /** Id or full path of the project that the other one becomes a fork of. */
      forkedFrom: IdOrName,
    },
    async run(ctx, { forkedFrom }, { project: fork }) {
      const source = await loadVisible(ctx, project, { project: forkedFrom })
      if (!hasAbility(ctx.actor, source, 'code.read')) throw forbidden('Forking requires access to the repository')
      const { forkedFromId } = await readForkState(ctx, fork)
      if (forkedFromId !== null || source.project.id === fork.id) throw conflict('Project already forked')
      assertNotMoreVisible(fork.visibility, source.project.visibility)
      return setForkSource(ctx, fork, source.project.id)
    },
  }),

  /** Ends the relation of a fork to its source, and closes its open merge requests into other projects. */
  unlink: command({
    on: project,
    can: 'project.setForkSource',
    async run(ctx, _input, { project: fork }) {
      const { forkedFromId } = await readForkState(ctx, fork)
      if (forkedFromId === null) throw notFound('Fork relation')
      await assertRowUnmodified(ctx, 'project', fork.id)
      await ctx.enqueue(
        'mergeRequests.closeOfFork',
        { sourceProjectId: fork.id, userId: getUserId(ctx.actor) || null },
        { key: String(fork.id) },
      )
      return setForkSource(ctx, fork, null)
    },
  }),
}
