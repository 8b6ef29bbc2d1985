import * as v from 'valibot'
import { Access, featureLevels, getLessVisible, isMoreVisible, visibilities } from '../../access/levels.ts'
import { findNamespace } from '../../access/namespaces.ts'
import { projectIdsWithAccess } from '../../access/predicates.ts'
import { findProject } from '../../access/projects.ts'
import { instance, namespace, project } from '../../access/subjects.ts'
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
  description: v.optional(v.nullable(v.string())),
  visibility: v.optional(v.picklist(visibilities)),
  defaultBranch: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))),
  requestAccessEnabled: v.optional(v.boolean()),
  issuesAccessLevel: FeatureLevel,
  mergeRequestsAccessLevel: FeatureLevel,
  repositoryAccessLevel: FeatureLevel,
  snippetsAccessLevel: FeatureLevel,
  avatarUrl: v.optional(v.nullable(v.string())),
  /** A dependency scanner has uploaded a report. */
  hasSecurityReports: v.optional(v.boolean()),
  /** A partial update: omitted settings keep their values. */
  settings: v.optional(ProjectSettingsInput),
}

const Size = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0)

const sizesInput = {
  repositorySize: Size,
  wikiSize: Size,
  lfsObjectsSize: Size,
  jobArtifactsSize: Size,
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
  /** Projects visible to the caller, newest first. `membership` requires guest access, `owned` owner access. */
  list: query({
    on: instance,
    can: 'project.list',
    input: { ...projectFilters, membership: v.optional(v.boolean(), false), owned: v.optional(v.boolean(), false) },
    rules: [cursorInsteadOfPage],
    run(ctx, { membership, owned, ...filters }) {
      const rows = selectReadableProjects(ctx)
      const level = owned ? Access.owner : Access.guest
      return projectPage(
        ctx,
        owned || membership ? rows.where('project.id', 'in', projectIdsWithAccess(ctx, level)) : rows,
        filters,
      )
    },
  }),

  /** The full record of a project, with the caller's access levels. */
  details: query({
    on: project,
    can: 'project.read',
    input: { withCustomAttributes: v.optional(v.boolean(), false) },
    async run(ctx, options, { project }): Promise<ProjectDetails> {
      const [record] = await readProjectRecords(ctx, [project], options)
      return { ...(record as ProjectRecord), permissions: await readPermissions(ctx, project) }
    },
  }),

  /** One project, by id or full path. */
  get: query({ on: project, can: 'project.read', run: (_ctx, _input, { project }) => ({ ...project }) }),

  /** Creates a project in a group or in the caller's own namespace. The path defaults to a slug of the name. */
  create: command({
    on: namespace,
    can: 'project.create',
    serializes: 'instance',
    input: { name: v.string(), path: v.optional(v.string()), forkedFrom: v.optional(IdOrName), ...detailsInput },
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

  /** Updates a project. */
  update: command({
    on: project,
    can: 'project.update',
    serializes: 'instance',
    input: { name: v.optional(v.string()), path: v.optional(v.string()), ...detailsInput },
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
    input: { user: v.optional(IdOrName) },
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
      return { changed: inserted.length > 0 }
    },
  }),

  /** Removes a star. `changed` is false when there was none. */
  unstar: command({
    on: project,
    can: 'project.star',
    input: { user: v.optional(IdOrName) },
    async run(ctx, { user }, { project }) {
      const deleted = await ctx.db
        .deleteFrom('projectStar')
        .where('projectId', '=', project.id)
        .where('userId', '=', await resolveStarringUserId(ctx, user))
        .returning('projectId')
        .execute()
      return { changed: deleted.length > 0 }
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
