import * as v from 'valibot'
import { Access, featureLevels, narrower, visibilities, wider } from '../../access/levels.ts'
import { projectsAt } from '../../access/predicates.ts'
import { instance, namespace, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid, invalidInput, notFound } from '../../kernel/errors.ts'
import { atLeastOne, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { pathFrom } from '../../kernel/text.ts'
import { may, visible } from '../../policy.ts'
import { findUser } from '../accounts/queries.ts'
import { refuseBadNames } from '../groups/names.ts'
import { findNamespace, refuseTakenPath } from '../groups/queries.ts'
import { settingsInForce } from '../settings/queries.ts'
import { refuseBeyondLimit } from './limit.ts'
import { permissionsOn } from './permissions.ts'
import type { Project } from './project.ts'
import { findProject } from './queries.ts'
import type { ProjectDetails, ProjectRecord } from './record.ts'
import { projectRecords } from './records.ts'
import { projectFilters, projectPage, readableRows } from './selection.ts'
import { type GivenProjectSettings, ProjectSettingsInput } from './settings.ts'
import { startingSettings } from './starting-settings.ts'

const FeatureLevel = v.optional(v.picklist(featureLevels))

const details = {
  description: v.optional(v.nullable(v.string())),
  visibility: v.optional(v.picklist(visibilities)),
  defaultBranch: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))),
  requestAccessEnabled: v.optional(v.boolean()),
  issuesAccessLevel: FeatureLevel,
  mergeRequestsAccessLevel: FeatureLevel,
  repositoryAccessLevel: FeatureLevel,
  snippetsAccessLevel: FeatureLevel,
  avatarUrl: v.optional(v.nullable(v.string())),
  /** A scanner has left a report of its dependencies. */
  hasSecurityReports: v.optional(v.boolean()),
  /** Those that are to change; the others stay as they are. */
  settings: v.optional(ProjectSettingsInput),
}

const Size = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0)

const sizes = {
  repositorySize: Size,
  wikiSize: Size,
  lfsObjectsSize: Size,
  jobArtifactsSize: Size,
  packagesSize: Size,
}

/** Whose mark it is: the caller's, or, for a host that acts for somebody, that of the user it names. */
const starrer = async (ctx: Context, user: number | string | undefined): Promise<number> => {
  if (ctx.actor.kind === 'user' && user === undefined) return ctx.actor.id
  if (ctx.actor.kind === 'user') throw forbidden('Only the host application acts in the name of others')
  if (user === undefined) throw invalidInput([{ fields: ['user'], message: 'is missing' }])
  return (await findUser(ctx, user)).id
}

const merged = async (ctx: Context, { id }: Project, given: GivenProjectSettings) => {
  const row = await ctx.db.selectFrom('project').where('id', '=', id).select('settings').executeTakeFirst()
  return { ...row?.settings, ...given }
}

/** The project that a new one is a copy of: one that the caller can see the code of. */
const forkedFromId = async (ctx: Context, ref: number | string | undefined): Promise<number | null> => {
  if (ref === undefined) return null
  const source = await project.load(ctx, { project: ref })
  if (!visible.project.holds(ctx.actor, source)) throw notFound('Project')
  if (!may(ctx.actor, source, 'code.read')) throw forbidden('Only for whoever can see the code')
  return source.project.id
}

const tooVisible = () => invalid({ visibility: ['is not allowed: the group is less visible'] })

const reload = async (ctx: Context, id: number): Promise<Project> => {
  const found = await findProject(ctx, id)
  if (!found) throw notFound('Project')
  return { ...found }
}

const setArchived = async (ctx: Context, { id }: Project, archived: boolean) => {
  await ctx.db.updateTable('project').set({ archived, updatedAt: ctx.now }).where('id', '=', id).execute()
  return reload(ctx, id)
}

export const projects = {
  /** Every project the caller can see, newest first. `membership`: of which they are a member; `owned`: as an owner. */
  list: query({
    on: instance,
    can: 'project.list',
    input: { ...projectFilters, membership: v.optional(v.boolean(), false), owned: v.optional(v.boolean(), false) },
    run(ctx, { membership, owned, ...filters }) {
      const rows = readableRows(ctx)
      const level = owned ? Access.owner : Access.guest
      return projectPage(
        ctx,
        owned || membership ? rows.where('project.id', 'in', projectsAt(ctx, level)) : rows,
        filters,
      )
    },
  }),

  /** One project with everything that the caller is told of it, and what they hold there. */
  details: query({
    on: project,
    can: 'project.read',
    input: { withCustomAttributes: v.optional(v.boolean(), false) },
    async run(ctx, wanted, { project }): Promise<ProjectDetails> {
      const [record] = await projectRecords(ctx, [project], wanted)
      return { ...(record as ProjectRecord), permissions: await permissionsOn(ctx, project) }
    },
  }),

  /** One project, by id or full path. */
  get: query({ on: project, can: 'project.read', run: (_ctx, _input, { project }) => ({ ...project }) }),

  /** Adds a project to a group or to the caller's own namespace. The path is made from the name when absent. */
  create: command({
    on: namespace,
    can: 'project.create',
    input: { name: v.string(), path: v.optional(v.string()), forkedFrom: v.optional(Reference), ...details },
    async run(ctx, { name, path = pathFrom(name), visibility: given, ...rest }, { namespace }) {
      refuseBadNames({ name, path })
      const platform = await settingsInForce(ctx)
      const visibility = given ?? narrower(platform.defaultProjectVisibility, namespace.visibility)
      if (wider(visibility, namespace.visibility)) throw tooVisible()
      const fullPath = `${namespace.fullPath}/${path}`
      await refuseTakenPath(ctx, fullPath)
      await refuseBeyondLimit(ctx, namespace)
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
          forkedFromId: await forkedFromId(ctx, rest.forkedFrom),
          hasSecurityReports: rest.hasSecurityReports ?? false,
          settings: startingSettings(ctx, platform, rest.settings),
          createdAt: ctx.now,
          updatedAt: ctx.now,
          lastActivityAt: ctx.now,
        })
        .returning('id')
        .execute()
      const project = await reload(ctx, (row as { id: number }).id)
      await ctx.emit('project.created', { project })
      return project
    },
  }),

  /** Changes a project. */
  update: command({
    on: project,
    can: 'project.update',
    input: { name: v.optional(v.string()), path: v.optional(v.string()), ...details },
    rules: [atLeastOne('name', 'path', ...(Object.keys(details) as (keyof typeof details)[]))],
    async run(ctx, { settings, ...change }, { project }) {
      refuseBadNames(change)
      const home = await findNamespace(ctx, project.namespaceId)
      if (change.visibility && home && wider(change.visibility, home.visibility)) throw tooVisible()
      const fullPath = `${home?.fullPath}/${change.path ?? project.path}`
      if (fullPath.toLowerCase() !== project.fullPath.toLowerCase()) await refuseTakenPath(ctx, fullPath)
      await ctx.db
        .updateTable('project')
        .set({
          ...change,
          ...(settings && { settings: await merged(ctx, project, settings) }),
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

  /** Makes a project read-only. */
  archive: command({
    on: project,
    can: 'project.archive',
    run: (ctx, _input, { project }) => setArchived(ctx, project, true),
  }),

  /** Opens an archived project for changes again. */
  unarchive: command({
    on: project,
    can: 'project.archive',
    run: (ctx, _input, { project }) => setArchived(ctx, project, false),
  }),

  /** Marks a project as one the caller likes. `changed` is false when it was marked already. */
  star: command({
    on: project,
    can: 'project.star',
    input: { user: v.optional(Reference) },
    async run(ctx, { user }, { project }) {
      const row = { projectId: project.id, userId: await starrer(ctx, user), createdAt: ctx.now }
      const made = await ctx.db
        .insertInto('projectStar')
        .values(row)
        .onConflict((known) => known.doNothing())
        .returning('projectId')
        .execute()
      return { changed: made.length > 0 }
    },
  }),

  /** Takes the mark away. `changed` is false when there was none. */
  unstar: command({
    on: project,
    can: 'project.star',
    input: { user: v.optional(Reference) },
    async run(ctx, { user }, { project }) {
      const gone = await ctx.db
        .deleteFrom('projectStar')
        .where('projectId', '=', project.id)
        .where('userId', '=', await starrer(ctx, user))
        .returning('projectId')
        .execute()
      return { changed: gone.length > 0 }
    },
  }),

  /** States what a project takes on disk, in bytes, as the host has measured it. Sizes that are not named are 0. */
  measure: command({
    on: project,
    can: 'project.measure',
    input: sizes,
    async run(ctx, given, { project }) {
      await ctx.db
        .insertInto('projectSize')
        .values({ projectId: project.id, ...given })
        .onConflict((known) => known.column('projectId').doUpdateSet(given))
        .execute()
    },
  }),

  /** Removes a project with everything in it. */
  remove: command({
    on: project,
    can: 'project.remove',
    async run(ctx, _input, { project }) {
      await ctx.emit('project.removed', { project })
      await ctx.db.deleteFrom('project').where('id', '=', project.id).execute()
    },
  }),
}
