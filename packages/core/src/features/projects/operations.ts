import * as v from 'valibot'
import { hasProjectAccess } from '../../access/access-conditions.ts'
import { Access, featureLevels, getLessVisible, isMoreVisible, visibilities } from '../../access/levels.ts'
import { findNamespace } from '../../access/namespaces.ts'
import { withMemberProjects } from '../../access/project-access.ts'
import { findProject } from '../../access/projects.ts'
import { instance, namespace, project, userEntries } from '../../access/subjects.ts'
import type { Project } from '../../contract/project.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid, invalidInput, notFound } from '../../kernel/errors.ts'
import { atLeastOne, IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { cursorInsteadOfPage } from '../../kernel/paging.ts'
import { hasAbility } from '../../policy/authorize.ts'
import { loadVisible } from '../../policy/visible.ts'
import { toPathSegment } from '../../shared/text.ts'
import { findUser } from '../accounts/queries.ts'
import { assertPathAvailable } from '../groups/insert-namespace.ts'
import { assertValidNames } from '../groups/names.ts'
import { getSettings } from '../settings/queries.ts'
import { initialSettings } from './initial-settings.ts'
import { readPermissions } from './permissions.ts'
import { assertBelowProjectLimit } from './project-limit.ts'
import { projectFilters, projectPage, selectReadableProjects } from './project-list.ts'
import type { ProjectDetails, ProjectRecord } from './project-record.ts'
import { readProjectRecords } from './record-queries.ts'
import { type PartialProjectSettings, ProjectSettingsInput } from './settings.ts'

const FeatureLevel = v.optional(v.picklist(featureLevels))

const detailsInput = {
  /** Text in Markdown; null for none. */
  description: v.optional(v.nullable(v.string())),
  /**
   * `private`, `internal` or `public`; not more visible than the namespace. Default of a new project: the setting
   * `defaultProjectVisibility`, limited by the namespace.
   */
  visibility: v.optional(v.picklist(visibilities)),
  /** Name of the default branch, 1 to 255 characters. Default of a new project: `main`. */
  defaultBranch: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))),
  /** Whether users can request access. Default of a new project: true. */
  requestAccessEnabled: v.optional(v.boolean()),
  /**
   * Who can use issues: `enabled` everyone who sees the project (the default of a new project), `private` members,
   * `disabled` no one.
   */
  issuesAccessLevel: FeatureLevel,
  /**
   * Who can use merge requests: `enabled` everyone who can read the code (the default of a new project), `private`
   * members who can, `disabled` no one.
   */
  mergeRequestsAccessLevel: FeatureLevel,
  /**
   * Who can read the code: `enabled` everyone who sees the project (the default of a new project), `private` reporters
   * and above, `disabled` no one. In a private project, `enabled` also means reporters and above.
   */
  repositoryAccessLevel: FeatureLevel,
  /**
   * Who can use snippets: `enabled` everyone who sees the project (the default of a new project), `private` members,
   * `disabled` no one.
   */
  snippetsAccessLevel: FeatureLevel,
  /** URL of the project's picture; null for none. */
  avatarUrl: v.optional(v.nullable(v.string())),
  /** Whether a dependency scanner has uploaded a report, for the filter `withSecurityReports` of groups. */
  hasSecurityReports: v.optional(v.boolean()),
  /** Settings to change; absent ones keep their values, or the defaults in a new project. */
  settings: v.optional(ProjectSettingsInput),
}

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

/** The caller, or the `user` that a host has to pass. */
const resolveStarringUserId = async (ctx: Context, user: number | string | undefined): Promise<number> => {
  if (ctx.actor.kind === 'user' && user === undefined) return ctx.actor.id
  if (ctx.actor.kind === 'user') throw forbidden('Only the host application can act for another user')
  if (user === undefined) throw invalidInput([{ fields: ['user'], message: 'is missing' }])
  return (await findUser(ctx, user)).id
}

const mergeSettings = async (ctx: Context, { id }: Project, changes: PartialProjectSettings) => {
  const row = await ctx.db.selectFrom('project').where('id', '=', id).select('settings').executeTakeFirst()
  return { ...row?.settings, ...changes }
}

/** The source of a fork. The caller must be able to read its code. */
const resolveForkSourceId = async (ctx: Context, ref: number | string | undefined): Promise<number | null> => {
  if (ref === undefined) return null
  const source = await loadVisible(ctx, project, { project: ref })
  if (!hasAbility(ctx.actor, source, 'code.read')) throw forbidden('Forking requires access to the repository')
  return source.project.id
}

const visibilityError = () => invalid({ visibility: ['is not allowed: the group is less visible'] })

const reload = async (ctx: Context, id: number): Promise<Project> => {
  const project = await findProject(ctx, id)
  if (!project) throw notFound('Project')
  return { ...project }
}

const setArchived = async (ctx: Context, { id }: Project, archived: boolean) => {
  await ctx.db.updateTable('project').set({ archived, updatedAt: ctx.now }).where('id', '=', id).execute()
  return reload(ctx, id)
}

export const projects = {
  /** Projects visible to the caller, by default the newest first. */
  list: query({
    on: instance,
    can: 'project.list',
    input: {
      ...projectFilters,
      /** Only projects on which the caller has at least guest access. */
      membership: v.optional(v.boolean(), false),
      /** Only projects on which the caller has owner access; includes `membership`. */
      owned: v.optional(v.boolean(), false),
    },
    rules: [cursorInsteadOfPage],
    async run(ctx, { membership, owned, ...filters }) {
      const listCtx = await withMemberProjects(ctx)
      const rows = selectReadableProjects(listCtx)
      const level = owned ? Access.owner : Access.guest
      return projectPage(listCtx, owned || membership ? rows.where(hasProjectAccess(listCtx, level)) : rows, filters)
    },
  }),

  /** Projects in the personal namespace of a user that the caller can see, by default the newest first. */
  listOfUser: query({
    on: instance,
    can: 'project.list',
    input: { ...userEntries, ...projectFilters },
    rules: [cursorInsteadOfPage],
    async run(ctx, { user, ...filters }) {
      const { id } = await findUser(ctx, user)
      const listCtx = await withMemberProjects(ctx)
      const namespaceIds = ctx.db.selectFrom('namespace').where('ownerId', '=', id).select('namespace.id')
      return projectPage(
        listCtx,
        selectReadableProjects(listCtx).where('project.namespaceId', 'in', namespaceIds),
        filters,
      )
    },
  }),

  /** The full record of a project, with the caller's access levels. */
  details: query({
    on: project,
    can: 'project.read',
    input: {
      /** Whether to include the custom attributes. For administrators; ignored for other callers. */
      withCustomAttributes: v.optional(v.boolean(), false),
    },
    async run(ctx, options, { project }): Promise<ProjectDetails> {
      const [record] = await readProjectRecords(ctx, [project], options)
      return { ...(record as ProjectRecord), permissions: await readPermissions(ctx, project) }
    },
  }),

  /** One project, by id or full path. */
  get: query({ on: project, can: 'project.read', run: (_ctx, _input, { project }) => ({ ...project }) }),

  /**
   * Creates a project in a group or in the caller's own namespace. Fails with `invalid` if its path is taken or the
   * owner's limit of personal projects is reached.
   */
  create: command({
    on: namespace,
    can: 'project.create',
    serializes: 'instance',
    input: {
      /** Name for display, 1 to 255 characters. */
      name: v.string(),
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
      ...detailsInput,
    },
    async run(ctx, { name, path = toPathSegment(name), visibility: requested, ...rest }, { namespace }) {
      assertValidNames({ name, path })
      const settings = await getSettings(ctx)
      const visibility = requested ?? getLessVisible(settings.defaultProjectVisibility, namespace.visibility)
      if (isMoreVisible(visibility, namespace.visibility)) throw visibilityError()
      const fullPath = `${namespace.fullPath}/${path}`
      await assertPathAvailable(ctx, fullPath)
      await assertBelowProjectLimit(ctx, namespace)
      const [row] = await ctx.db
        .insertInto('project')
        .values({
          namespaceId: namespace.id,
          creatorId: ctx.actor.kind === 'user' ? ctx.actor.id : namespace.ownerId,
          name,
          path,
          fullPath,
          visibility,
          archived: false,
          description: rest.description ?? null,
          defaultBranch: rest.defaultBranch ?? 'main',
          requestAccessEnabled: rest.requestAccessEnabled ?? true,
          issuesAccessLevel: rest.issuesAccessLevel ?? 'enabled',
          mergeRequestsAccessLevel: rest.mergeRequestsAccessLevel ?? 'enabled',
          repositoryAccessLevel: rest.repositoryAccessLevel ?? 'enabled',
          snippetsAccessLevel: rest.snippetsAccessLevel ?? 'enabled',
          avatarUrl: rest.avatarUrl ?? null,
          forkedFromId: await resolveForkSourceId(ctx, rest.forkedFrom),
          emptyRepo: true,
          hasSecurityReports: rest.hasSecurityReports ?? false,
          settings: initialSettings(ctx, settings, rest.settings),
          createdAt: ctx.now,
          updatedAt: ctx.now,
          lastActivityAt: ctx.now,
        } satisfies CompleteRow<'project'>)
        .returning('id')
        .execute()
      const project = await reload(ctx, (row as { id: number }).id)
      await ctx.emit('project.created', { project })
      return project
    },
  }),

  /** Updates a project. Absent fields keep their values; at least one change is required. */
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
    rules: [atLeastOne('name', 'path', ...(Object.keys(detailsInput) as (keyof typeof detailsInput)[]))],
    async run(ctx, { settings, ...change }, { project }) {
      assertValidNames(change)
      const namespace = await findNamespace(ctx, project.namespaceId)
      if (change.visibility && namespace && isMoreVisible(change.visibility, namespace.visibility))
        throw visibilityError()
      const fullPath = `${namespace?.fullPath}/${change.path ?? project.path}`
      if (fullPath.toLowerCase() !== project.fullPath.toLowerCase()) await assertPathAvailable(ctx, fullPath)
      await ctx.db
        .updateTable('project')
        .set({
          ...change,
          ...(settings && { settings: await mergeSettings(ctx, project, settings) }),
          fullPath,
          updatedAt: ctx.now,
        })
        .where('id', '=', project.id)
        .execute()
      const after = await reload(ctx, project.id)
      await ctx.emit('project.updated', { before: project, after })
      return after
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

  /** Stars a project. `changed` is false when it was starred already. */
  star: command({
    on: project,
    can: 'project.star',
    input: {
      /**
       * Id or username of the user who stars the project. The host application must name one; users act for themselves.
       */
      user: v.optional(IdOrName),
    },
    async run(ctx, { user }, { project }) {
      const row = {
        projectId: project.id,
        userId: await resolveStarringUserId(ctx, user),
        createdAt: ctx.now,
      } satisfies CompleteRow<'projectStar'>
      const inserted = await ctx.db
        .insertInto('projectStar')
        .values(row)
        .onConflict((oc) => oc.doNothing())
        .returning('projectId')
        .execute()
      return {
        /** False if the project was starred already. */
        changed: inserted.length > 0,
      }
    },
  }),

  /** Removes a star. `changed` is false when there was none. */
  unstar: command({
    on: project,
    can: 'project.star',
    input: {
      /**
       * Id or username of the user who starred the project. The host application must name one; users act for themselves.
       */
      user: v.optional(IdOrName),
    },
    async run(ctx, { user }, { project }) {
      const deleted = await ctx.db
        .deleteFrom('projectStar')
        .where('projectId', '=', project.id)
        .where('userId', '=', await resolveStarringUserId(ctx, user))
        .returning('projectId')
        .execute()
      return {
        /** False if there was no star. */
        changed: deleted.length > 0,
      }
    },
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

  /** Deletes a project with all its contents. */
  remove: command({
    on: project,
    can: 'project.remove',
    serializes: 'instance',
    async run(ctx, _input, { project }) {
      await ctx.emit('project.removed', { project })
      await ctx.db.deleteFrom('project').where('id', '=', project.id).execute()
    },
  }),
}
