import { expressionBuilder } from 'kysely'
import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { readableGroups } from '../../../access/predicates.ts'
import { projectColumns } from '../../../access/projects.ts'
import { group as groupSubject, project as projectSubject } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { selectReadableProjects } from '../../spaces/projects/project-list.ts'
import type { ProjectRecord } from '../../spaces/projects/project-record.ts'
import { readProjectRecords } from '../../spaces/projects/record-queries.ts'
import { readProjectSettings, updateProjectSettings } from '../../spaces/projects/stored-settings.ts'
import type { AllowedGroup, AllowedProject, GroupReference, JobTokenScope } from './job-token-scope.ts'

/** Entries of both lists of a project together: the check of a token reads them. */
const maxEntries = 200

/** Exactly one of the two is set. */
interface Target {
  readonly targetProjectId: number | null
  readonly targetGroupId: number | null
}

const selectEntries = ({ db }: Context, projectId: number) =>
  db.selectFrom('jobTokenAllowlist').where('projectId', '=', projectId)

const findEntry = (ctx: Context, projectId: number, { targetProjectId, targetGroupId }: Target) => {
  const entries = selectEntries(ctx, projectId).select('id')
  return targetProjectId === null
    ? entries.where('targetGroupId', '=', targetGroupId).executeTakeFirst()
    : entries.where('targetProjectId', '=', targetProjectId).executeTakeFirst()
}

const addEntry = async (ctx: Context, projectId: number, target: Target) => {
  if (await findEntry(ctx, projectId, target)) throw invalid('This target is already in the job token scope')
  const { count } = await selectEntries(ctx, projectId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxEntries) throw invalid(`The allowlist is full (maximum is ${maxEntries} entries)`)
  await ctx.db
    .insertInto('jobTokenAllowlist')
    .values({ projectId, ...target } satisfies CompleteRow<'jobTokenAllowlist'>)
    .execute()
}

const removeEntry = async (ctx: Context, projectId: number, target: Target) => {
  const entry = await findEntry(ctx, projectId, target)
  if (entry === undefined) throw notFound()
  await ctx.db.deleteFrom('jobTokenAllowlist').where('id', '=', entry.id).execute()
}

const targetProjectInput = {
  /** Id of a project with permitted job tokens. */
  targetProject: Id,
}

const targetGroupInput = {
  /** Id of the group; job tokens of all projects below it are permitted. */
  targetGroup: Id,
}

/** Which job tokens of other projects a project permits. */
export const jobTokenScopes = {
  /** Checks whether the project restricts the job tokens of other projects. */
  get: query({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    async run(ctx, _input, { project }): Promise<JobTokenScope> {
      const { ciInboundJobTokenScopeEnabled: inboundEnabled } = await readProjectSettings(ctx, project.id)
      return { inboundEnabled, outboundEnabled: false }
    },
  }),

  /** Permits the job tokens of all projects, or only those of the allowlists. */
  update: command({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    serializes: 'project',
    input: {
      /** Whether to permit only tokens of the project's own jobs and of the allowlists. */
      enabled: v.boolean(),
    },
    run: (ctx, { enabled }, { project }) =>
      updateProjectSettings(ctx, project.id, { ciInboundJobTokenScopeEnabled: enabled }),
  }),

  /** Lists the project itself and those with permitted job tokens, as far as the current user can see them, newest first. */
  listProjects: query({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    input: pagingEntries,
    async run(ctx, paging, { project }): Promise<Page<ProjectRecord>> {
      const ids = selectEntries(ctx, project.id)
        .where('targetProjectId', 'is not', null)
        .select('targetProjectId as id')
        .$castTo<{ id: number }>()
        .unionAll(ctx.db.selectFrom('project').where('id', '=', project.id).select('id'))
      const rows = selectReadableProjects(ctx)
        .where('project.id', 'in', ids)
        .select(projectColumns)
        .orderBy('project.id', 'desc')
      const page = await paginate(rows, paging, (row): Project => row)
      return { ...page, items: await readProjectRecords(ctx, page.items) }
    },
  }),

  /**
   * Permits the job tokens of another project.
   *
   * @throws PlatformError `invalid` for the project itself, one that is permitted already, and more than 200 entries
   */
  addProject: command({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    input: targetProjectInput,
    async run(ctx, { targetProject }, { project }): Promise<AllowedProject> {
      const target = await loadVisible(ctx, projectSubject, { project: targetProject })
      const targetProjectId = target.project.id
      if (targetProjectId === project.id) throw invalid("Target project can't be the source project")
      await addEntry(ctx, project.id, { targetProjectId, targetGroupId: null })
      return { sourceProjectId: project.id, targetProjectId }
    },
  }),

  /** Stops permitting the job tokens of another project. */
  removeProject: command({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    serializes: 'project',
    input: targetProjectInput,
    run: (ctx, { targetProject }, { project }) =>
      removeEntry(ctx, project.id, { targetProjectId: targetProject, targetGroupId: null }),
  }),

  /** Lists the groups with permitted job tokens of their projects, as far as the current user can see them, by id. */
  listGroups: query({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    input: pagingEntries,
    async run(ctx, paging, { project }) {
      const readable = readableGroups(await withGrants(ctx))
      const rows = selectEntries(ctx, project.id)
        .innerJoin('namespace', 'namespace.id', 'jobTokenAllowlist.targetGroupId')
        .where(readable(expressionBuilder()))
        .orderBy('jobTokenAllowlist.targetGroupId')
        .select(['namespace.id', 'namespace.name', 'namespace.fullPath'])
      return paginate(rows, paging, (row): GroupReference => row)
    },
  }),

  /**
   * Permits the job tokens of all projects below a group.
   *
   * @throws PlatformError `invalid` for a group that is permitted already, and more than 200 entries
   */
  addGroup: command({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    input: targetGroupInput,
    async run(ctx, { targetGroup }, { project }): Promise<AllowedGroup> {
      const target = await loadVisible(ctx, groupSubject, { group: targetGroup })
      await addEntry(ctx, project.id, { targetProjectId: null, targetGroupId: target.group.id })
      return { sourceProjectId: project.id, targetGroupId: target.group.id }
    },
  }),

  /** Stops permitting the job tokens of the projects below a group. */
  removeGroup: command({
    on: projectSubject,
    can: 'jobTokenScope.manage',
    serializes: 'project',
    input: targetGroupInput,
    run: (ctx, { targetGroup }, { project }) =>
      removeEntry(ctx, project.id, { targetProjectId: null, targetGroupId: targetGroup }),
  }),
}
