import * as v from 'valibot'
import { isMoreVisible } from '../../access/levels.ts'
import { findNamespace } from '../../access/namespaces.ts'
import { instance, project, userEntries } from '../../access/subjects.ts'
import type { Project } from '../../contract/project.ts'
import { assertRowUnmodified } from '../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { updateChanged } from '../../db/update-changed.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { cursorInsteadOfPage } from '../../kernel/paging.ts'
import { assertAbility } from '../../policy/authorize.ts'
import { defined } from '../../shared/defined.ts'
import { keysOf } from '../../shared/keys-of.ts'
import { findUser } from '../accounts/queries.ts'
import { setAvatar } from '../avatars/mutations.ts'
import { assertValidNames } from '../groups/names.ts'
import { assertPathAvailable } from '../namespaces/insert-namespace.ts'
import { isReservedProject } from '../namespaces/reserved-names.ts'
import { haveManyContents } from '../removal/contents.ts'
import { removeProject } from '../removal/remove.ts'
import { createVisibilityError, detailsInput } from './details-input.ts'
import { assertForkVisibility, restrictForks } from './fork-visibility.ts'
import { projectFilters, visibleProjectPage } from './project-list.ts'
import { readProjectDetails, reloadProject } from './read-details.ts'
import { scheduleProjectRemoval } from './schedule-removal.ts'
import { mergeSettings, readProjectSettings } from './stored-settings.ts'

const Size = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0)

const sizesInput = {
  /** Bytes of the git repository. */
  repositorySize: Size,
  /** Bytes of the wiki repository. */
  wikiSize: Size,
  /** Bytes of the Git LFS objects. */
  lfsObjectsSize: Size,
  /** Bytes of the artifacts of pipeline jobs. */
  jobArtifactsSize: Size,
  /** Bytes of the packages in the package registry. */
  packagesSize: Size,
}

const setArchived = async (ctx: Context, { id }: Project, archived: boolean) => {
  await updateChanged(ctx, 'project', id, { archived })
  return readProjectDetails(ctx, await reloadProject(ctx, id))
}

export const projects = {
  /** Lists projects visible to the caller, by default the newest first. */
  list: query({
    on: instance,
    can: 'project.list',
    input: projectFilters,
    rules: [cursorInsteadOfPage],
    run: (ctx, filters) => visibleProjectPage(ctx, filters, (rows) => rows),
  }),

  /** Lists projects in the personal namespace of a user that the caller can see, by default the newest first. */
  listOfUser: query({
    on: instance,
    can: 'project.list',
    input: { ...userEntries, ...projectFilters },
    rules: [cursorInsteadOfPage],
    async run(ctx, { user, ...filters }) {
      const { id } = await findUser(ctx, user)
      const namespaceIds = ctx.db.selectFrom('namespace').where('ownerId', '=', id).select('namespace.id')
      return visibleProjectPage(ctx, filters, (rows) => rows.where('project.namespaceId', 'in', namespaceIds))
    },
  }),

  /** Gets the full record of a project, with the caller's access levels. */
  details: query({
    on: project,
    can: 'project.read',
    input: {
      /** Whether to include the custom attributes. For administrators; ignored for other callers. */
      withCustomAttributes: v.optional(v.boolean(), false),
    },
    run: (ctx, options, { project }) => readProjectDetails(ctx, project, options),
  }),

  /** Gets a project, by id or full path. */
  get: query({ on: project, can: 'project.read', run: (_ctx, _input, { project }) => ({ ...project }) }),

  /**
   * Updates a project. Absent fields keep their values; at least one change is required. Only owners change `visibility` and
   * `emailsDisabled`. A fork is never more visible than its source: forks become less visible with it.
   */
  update: command({
    on: project,
    can: 'project.update',
    serializes: 'instance',
    input: {
      /** New name for display, 1 to 255 characters. */
      name: v.optional(v.string()),
      /** New last segment of the URL. URLs with the old one stop working. */
      path: v.optional(v.string()),
      ...detailsInput,
    },
    rules: [atLeastOne('name', 'path', ...keysOf(detailsInput))],
    async run(ctx, { settings, avatar, ...change }, subject) {
      const { project } = subject
      if (change.visibility !== undefined && change.visibility !== project.visibility)
        assertAbility<'project'>(ctx.actor, subject, 'project.changeVisibility')
      const { emailsDisabled } = settings ?? {}
      if (
        emailsDisabled !== undefined &&
        emailsDisabled !== (await readProjectSettings(ctx, project.id)).emailsDisabled
      )
        assertAbility<'project'>(ctx.actor, subject, 'project.disableEmails')
      assertValidNames(change)
      const isRenamed = change.path !== undefined && change.path !== project.path
      if (isRenamed && isReservedProject(defined(change.path), ctx.actor))
        throw invalid({ path: ['is a reserved name'] })
      const namespace = await findNamespace(ctx, project.namespaceId)
      if (change.visibility && namespace && isMoreVisible(change.visibility, namespace.visibility))
        throw createVisibilityError()
      if (change.visibility && isMoreVisible(change.visibility, project.visibility))
        await assertForkVisibility(ctx, project, change.visibility)
      const fullPath = `${namespace?.fullPath}/${change.path ?? project.path}`
      if (fullPath.toLowerCase() !== project.fullPath.toLowerCase()) await assertPathAvailable(ctx, fullPath)
      const columns = {
        ...change,
        ...(settings && (await mergeSettings(ctx, project.id, settings))),
        fullPath,
      }
      const isChanged = await updateChanged(ctx, 'project', project.id, columns)
      await setAvatar(ctx, 'project', project.id, avatar)
      const after = await reloadProject(ctx, project.id)
      if (isChanged || avatar !== undefined) await ctx.emit('project.updated', { before: project, after })
      if (isMoreVisible(project.visibility, after.visibility)) await restrictForks(ctx, after)
      return readProjectDetails(ctx, after)
    },
  }),

  /** Archives a project, which makes it read-only. */
  archive: command({
    on: project,
    can: 'project.archive',
    serializes: 'instance',
    run: (ctx, _input, { project }) => setArchived(ctx, project, true),
  }),

  /** Makes an archived project writable again. */
  unarchive: command({
    on: project,
    can: 'project.archive',
    serializes: 'instance',
    run: (ctx, _input, { project }) => setArchived(ctx, project, false),
  }),

  /** Sets the storage sizes of a project in bytes, as measured by the host. Omitted sizes become 0. */
  measure: command({
    on: project,
    can: 'project.measure',
    input: sizesInput,
    async run(ctx, sizes, { project }) {
      await ctx.db
        .insertInto('projectSize')
        .values({ projectId: project.id, ...sizes } satisfies CompleteRow<'projectSize'>)
        .onConflict((oc) => oc.column('projectId').doUpdateSet(sizes))
        .execute()
    },
  }),

  /**
   * Deletes a project with all its contents. A job deletes a large one; until then, the project is private, archived and has
   * the path `<path>-deletion_scheduled-<id>`.
   */
  remove: command({
    on: project,
    can: 'project.remove',
    serializes: 'instance',
    async run(ctx, _input, { project }) {
      await assertRowUnmodified(ctx, 'project', project.id)
      if (await haveManyContents(ctx, { projectId: [project.id] })) await scheduleProjectRemoval(ctx, project)
      else await removeProject(ctx, project.id)
    },
  }),
}
