import * as v from 'valibot'
import type { AccessOptions } from '../../../access/access-conditions.ts'
import { isMoreVisible } from '../../../access/levels.ts'
import { findNamespace } from '../../../access/namespaces.ts'
import { withMemberProjects } from '../../../access/project-access.ts'
import { groupOrUser, project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { invalid, PlatformError } from '../../../kernel/errors.ts'
import { atLeastOne, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage } from '../../../kernel/paging.ts'
import type { OutboundUrl } from '../../../network/outbound-url.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import { setAvatar } from '../../accounts/avatars/mutations.ts'
import { recordMove } from '../../accounts/namespaces/earlier-paths.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { isReservedProject } from '../../accounts/namespaces/reserved-names.ts'
import { haveManyContents } from '../../accounts/removal/contents.ts'
import { assertMarked, isRemovalDelayed, removalInput } from '../../accounts/removal/delay.ts'
import { removeProject } from '../../accounts/removal/remove.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { assertUnrestricted } from '../../administration/settings/restricted-visibility.ts'
import { changeDefaultBranch } from '../../code/repository/sync-head.ts'
import { assertValidNames } from '../groups/names.ts'
import { assertNotArchivedWithGroup } from './archived-with-group.ts'
import { createVisibilityError, detailsInput, nameInput, type ProjectInput } from './details-input.ts'
import { assertForkVisibility, restrictForks } from './fork-visibility.ts'
import { selectGroupProjects } from './group-projects.ts'
import { afterUrlCheck, parseImportUrl } from './import-source.ts'
import {
  isContributedBy,
  isStarredBy,
  projectFilters,
  projectPageWithAccess,
  selectReadableProjects,
} from './project-list.ts'
import type { ProjectDetails } from './project-record.ts'
import { changePullMirror, type PullMirrorInput, pullMirrorInput, splitPullMirror } from './pull-mirror.ts'
import { readProjectDetails, reloadProject } from './read-details.ts'
import { markProject, scheduleProjectRemoval, unmarkProject } from './schedule-removal.ts'
import { mergeSettings, readProjectSettings, withoutStorage } from './stored-settings.ts'

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
  /** Bytes of the snippets. */
  snippetsSize: Size,
  /** Bytes of the images in the container registry. */
  containerRegistrySize: Size,
}

const setArchived = async (ctx: Context, { id }: Project, archived: boolean) => {
  await assertNotArchivedWithGroup(ctx, id)
  await updateChanged(ctx, 'project', id, { archived })
  return readProjectDetails(ctx, await reloadProject(ctx, id))
}

/** The projects of the instance, or of the personal namespace of a user, that the current user can see. */
const selectProjects = async (ctx: Context & AccessOptions, user: number | string | undefined) => {
  const rows = selectReadableProjects(ctx)
  if (user === undefined) return rows
  const { id } = await findUser(ctx, user)
  const namespaceIds = ctx.db.selectFrom('namespace').where('ownerId', '=', id).select('namespace.id')
  return rows.where('project.namespaceId', 'in', namespaceIds)
}

const importUrlInput = {
  /**
   * Address of the repository that `mirror` updates the project from, with the scheme `https`, `http`, `ssh` or `git`. It may
   * contain a user name and password, which are stored encrypted and never returned.
   */
  importUrl: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(2_048))),
}

type ProjectUpdate = ProjectInput &
  PullMirrorInput & { readonly name?: string | undefined; readonly path?: string | undefined }

const updateProject = async (
  ctx: Context,
  input: ProjectUpdate,
  subject: Subjects['project'],
  importUrl: OutboundUrl | undefined,
): Promise<ProjectDetails> => {
  const { mirrorChange, rest } = splitPullMirror(input)
  const { settings: requested, avatar, ...change } = rest
  const settings = withoutStorage(ctx, requested)
  const { project } = subject
  if (change.visibility !== undefined && change.visibility !== project.visibility) {
    assertAbility<'project'>(ctx.actor, subject, 'project.changeVisibility')
    await assertUnrestricted(ctx, change.visibility)
  }
  const { emailsDisabled } = settings ?? {}
  if (emailsDisabled !== undefined && emailsDisabled !== (await readProjectSettings(ctx, project.id)).emailsDisabled)
    assertAbility<'project'>(ctx.actor, subject, 'project.disableEmails')
  assertValidNames(change)
  const isRenamed = change.path !== undefined && change.path !== project.path
  if (isRenamed && isReservedProject(defined(change.path), ctx.actor)) throw invalid({ path: ['is a reserved name'] })
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
  await recordMove(ctx, project.fullPath, fullPath, { projectId: project.id })
  await setAvatar(ctx, 'project', project.id, avatar)
  await changePullMirror(ctx, project, { ...mirrorChange, importUrl })
  const after = await reloadProject(ctx, project.id)
  if (isChanged || avatar !== undefined) await ctx.emit('project.updated', { before: project, after })
  if (isMoreVisible(project.visibility, after.visibility)) await restrictForks(ctx, after)
  return readProjectDetails(ctx, after)
}

export const projects = {
  /**
   * Lists the projects that the current user can see, by default the newest first: of the instance, of a group with those
   * shared with it, or of the personal namespace of a user.
   */
  list: query({
    on: groupOrUser,
    can: 'project.list',
    input: {
      ...projectFilters,
      /** Only projects that this user has starred: an id, or a username regardless of case. */
      starredBy: v.optional(IdOrName),
      /** Only projects in which this user was active within a year: an id, or a username regardless of case. */
      contributedBy: v.optional(IdOrName),
      /** Whether to include projects of other groups that are shared with the group. Default: true. */
      withShared: v.optional(v.boolean(), true),
      /** Only projects of other groups that are shared with the group. Default: false. */
      onlyShared: v.optional(v.boolean(), false),
      /** Whether to include the projects of all subgroups, and with `withShared` those shared with them. Default: false. */
      includeSubgroups: v.optional(v.boolean(), false),
      /** Whether to include the projects of all groups above, and with `withShared` those shared with them. Default: false. */
      includeAncestorGroups: v.optional(v.boolean(), false),
      /** Only projects with a security report; requires the paid tier. Default: false. */
      withSecurityReports: v.optional(v.boolean(), false),
    },
    rules: [cursorInsteadOfPage],
    async run(ctx, { starredBy, contributedBy, withSecurityReports, ...filters }, subject) {
      if (withSecurityReports && ctx.tier === 'free') {
        throw new PlatformError('not_licensed', 'This operation requires the paid tier')
      }
      const listCtx = subject.kind === 'group' ? ctx : await withMemberProjects(ctx)
      let rows =
        subject.kind === 'group'
          ? selectGroupProjects(ctx, subject.group.id, filters)
          : await selectProjects(listCtx, subject.kind === 'user' ? subject.user : undefined)
      if (withSecurityReports) rows = rows.where('project.hasSecurityReports', '=', true)
      if (starredBy !== undefined) rows = rows.where(isStarredBy(ctx, (await findUser(ctx, starredBy)).id))
      if (contributedBy !== undefined) {
        const { id, privateProfile } = await findUser(ctx, contributedBy)
        const isHidden = privateProfile && id !== getUserId(ctx.actor) && !isAdministrator(ctx.actor)
        rows = isHidden ? rows.where('project.id', '=', 0) : rows.where(isContributedBy(ctx, id))
      }
      return projectPageWithAccess(listCtx, rows, filters)
    },
  }),

  /** Gets the full record of a project, with the current user's access levels. */
  get: query({
    on: project,
    can: 'project.read',
    input: {
      /** Whether to include the custom attributes. For administrators; ignored for other callers. */
      withCustomAttributes: v.optional(v.boolean(), false),
      /** Whether to include the statistics, for reporters and above; ignored for other callers. */
      statistics: v.optional(v.boolean(), false),
      /** Whether to include the license, for users who can read the code; ignored for other callers. */
      license: v.optional(v.boolean(), false),
    },
    run: (ctx, options, { project }) => readProjectDetails(ctx, project, options),
  }),

  /**
   * Updates a project. Omitted fields keep their values; at least one change is required. Only owners change `visibility` and
   * `emailsDisabled`. A fork is never more visible than its source: forks become less visible with it.
   */
  update: command({
    on: project,
    can: 'project.update',
    serializes: 'instance',
    input: {
      ...nameInput,
      ...detailsInput,
      ...importUrlInput,
      ...pullMirrorInput,
    },
    rules: [atLeastOne('name', 'path', ...keysOf({ ...detailsInput, ...importUrlInput, ...pullMirrorInput }))],
    async run(ctx, { importUrl, ...input }, subject): Promise<ProjectDetails | Deferred<ProjectDetails>> {
      const { defaultBranch } = input
      const target = importUrl === undefined ? undefined : await parseImportUrl(ctx, importUrl)
      const update = (ctx: Context) => updateProject(ctx, input, subject, target)
      const apply = async (ctx: Context) =>
        defaultBranch === undefined || defaultBranch === subject.project.defaultBranch
          ? update(ctx)
          : changeDefaultBranch(ctx, subject, defaultBranch, update)
      return target === undefined ? apply(ctx) : afterUrlCheck(ctx, target, apply)
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
        .values({ projectId: project.id, commitCount: 0, ...sizes } satisfies CompleteRow<'projectSize'>)
        .onConflict((oc) => oc.column('projectId').doUpdateSet(sizes))
        .execute()
    },
  }),

  /**
   * Deletes a project with all its contents. A job deletes a large one; until then, the project is private, archived and has
   * the path `<path>-deletion_scheduled-<id>`. If the setting `deletionAdjournedPeriod` has been set, the project is only marked
   * for deletion: it is archived, has that path, and a job removes it after this number of days.
   */
  remove: command({
    on: project,
    can: 'project.remove',
    serializes: 'instance',
    input: removalInput,
    async run(ctx, input, { project }) {
      await assertRowUnmodified(ctx, 'project', project.id)
      if (await isRemovalDelayed(ctx, project, input, 'Project')) await markProject(ctx, project)
      else if (await haveManyContents(ctx, { projectId: [project.id] })) await scheduleProjectRemoval(ctx, project)
      else await removeProject(ctx, project.id)
    },
  }),

  /**
   * Restores a project that is marked for deletion, under its earlier path.
   *
   * @throws PlatformError `invalid` if it is not marked, `conflict` when the path is taken
   */
  restore: command({
    on: project,
    can: 'project.remove',
    serializes: 'instance',
    async run(ctx, _input, { project }) {
      assertMarked(project, 'Project')
      await unmarkProject(ctx, project)
      return readProjectDetails(ctx, await reloadProject(ctx, project.id))
    },
  }),
}
