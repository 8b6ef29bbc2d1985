import * as v from 'valibot'
import { featureLevels, visibilities, wider } from '../../access/levels.ts'
import { readableProjects } from '../../access/predicates.ts'
import { instance, namespace, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { pathFrom } from '../../kernel/text.ts'
import { refuseBadNames } from '../groups/names.ts'
import { findNamespace, refuseTakenPath } from '../groups/queries.ts'
import type { Project } from './project.ts'
import { findProject, projectColumns } from './queries.ts'

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
}

const tooVisible = () => invalid({ visibility: ['is not allowed: the group is less visible'] })

const reload = async (ctx: Context, id: number): Promise<Project> => {
  const found = await findProject(ctx, id)
  if (!found) throw notFound('Project')
  return found
}

const setArchived = async (ctx: Context, { id }: Project, archived: boolean) => {
  await ctx.db.updateTable('project').set({ archived, updatedAt: ctx.now }).where('id', '=', id).execute()
  return reload(ctx, id)
}

export const projects = {
  /** Every project the caller can see, newest first. */
  list: query({
    on: instance,
    can: 'project.list',
    input: { ...paging },
    run: (ctx, at) =>
      paginate(
        ctx.db.selectFrom('project').where(readableProjects(ctx)).select(projectColumns).orderBy('project.id', 'desc'),
        at,
        (row): Project => row,
      ),
  }),

  /** One project, by id or full path. */
  get: query({ on: project, can: 'project.read', run: async (_ctx, _input, { project }) => project }),

  /** Adds a project to a group or to the caller's own namespace. The path is made from the name when absent. */
  create: command({
    on: namespace,
    can: 'project.create',
    input: { name: v.string(), path: v.optional(v.string()), ...details },
    async run(ctx, { name, path = pathFrom(name), visibility = 'private', ...rest }, { namespace }) {
      refuseBadNames({ name, path })
      if (wider(visibility, namespace.visibility)) throw tooVisible()
      const fullPath = `${namespace.fullPath}/${path}`
      await refuseTakenPath(ctx, fullPath)
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
    async run(ctx, change, { project }) {
      refuseBadNames(change)
      const home = await findNamespace(ctx, project.namespaceId)
      if (change.visibility && home && wider(change.visibility, home.visibility)) throw tooVisible()
      const fullPath = `${home?.fullPath}/${change.path ?? project.path}`
      if (fullPath.toLowerCase() !== project.fullPath.toLowerCase()) await refuseTakenPath(ctx, fullPath)
      await ctx.db
        .updateTable('project')
        .set({ ...change, fullPath, updatedAt: ctx.now })
        .where('id', '=', project.id)
        .execute()
      return reload(ctx, project.id)
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

  /** Removes a project with everything in it. */
  remove: command({
    on: project,
    can: 'project.remove',
    async run(ctx, _input, { project }) {
      await ctx.db.deleteFrom('project').where('id', '=', project.id).execute()
    },
  }),
}
