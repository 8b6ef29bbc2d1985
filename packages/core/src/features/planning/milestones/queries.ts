import type { ExpressionBuilder } from 'kysely'
import { selectProjectsBelow, selectSubgroupIds } from '../../../access/below-group.ts'
import { withGrants } from '../../../access/grants.ts'
import { readableMilestones } from '../../../access/predicates.ts'
import type { Database } from '../../../contract/database.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { projectPaths } from '../../spaces/projects/queries.ts'
import type { Milestone, MilestoneRecord } from './milestone.ts'

export const milestoneColumns = [
  'milestone.id',
  'milestone.iid',
  'milestone.projectId',
  'milestone.groupId',
  'milestone.title',
  'milestone.description',
  'milestone.state',
  'milestone.startDate',
  'milestone.dueDate',
  'milestone.createdAt',
  'milestone.updatedAt',
] as const

/** Milestones of a project or a group, newest first; those of the groups above on request. */
export const milestonesOf = (
  ctx: Context,
  subject: Subjects['project'] | Subjects['group'],
  includeAncestors = false,
) => {
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  return ctx.db
    .selectFrom('milestone')
    .where((eb) =>
      eb.or([
        subject.kind === 'project'
          ? eb('milestone.projectId', '=', subject.project.id)
          : eb('milestone.groupId', '=', subject.group.id),
        ...(includeAncestors
          ? [
              eb(
                'milestone.groupId',
                'in',
                eb.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId'),
              ),
            ]
          : []),
      ]),
    )
    .orderBy('milestone.id', 'desc')
    .select(milestoneColumns)
}

/** Milestones of a group, of its subgroups and of the projects below it that the current user can read, newest first. */
export const milestonesBelow = async (
  ctx: Context,
  subject: Subjects['project'] | Subjects['group'],
  includeAncestors: boolean,
) => {
  const own = milestonesOf(ctx, subject, includeAncestors)
  if (subject.kind === 'project') return own
  const viewer = await withGrants(ctx)
  const projects = selectProjectsBelow(viewer, subject.group.id, true).where(readableMilestones(viewer))
  return own
    .clearWhere()
    .where((eb) =>
      eb.or([
        eb('milestone.id', 'in', own.clearSelect().clearOrderBy().select('milestone.id')),
        eb('milestone.groupId', 'in', selectSubgroupIds(viewer, subject.group.id)),
        eb('milestone.projectId', 'in', projects.select('project.id')),
      ]),
    )
}

/** Milestones with a day in a period. Those without a first and a last day have none. */
export const isWithin = (startDate: string, endDate: string) => (eb: ExpressionBuilder<Database, 'milestone'>) => {
  const start = eb.ref('milestone.startDate')
  const due = eb.ref('milestone.dueDate')
  return eb.and([
    eb.or([eb(start, 'is not', null), eb(due, 'is not', null)]),
    eb.or([eb(start, 'is', null), eb(start, '<=', endDate)]),
    eb.or([eb(due, 'is', null), eb(due, '>=', startDate)]),
  ])
}

const groupPaths = async (ctx: Context, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> => {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows = await ctx.db.selectFrom('namespace').where('id', 'in', distinct).select(['id', 'fullPath']).execute()
  return new Map(rows.map(({ id, fullPath }) => [id, fullPath]))
}

/** Adds the fields that are not stored. */
export const completeMilestones = async (ctx: Context, records: readonly MilestoneRecord[]): Promise<Milestone[]> => {
  const [projects, groups] = await awaitAll([
    projectPaths(
      ctx,
      records.map(({ projectId }) => projectId).filter((id) => id !== null),
    ),
    groupPaths(
      ctx,
      records.map(({ groupId }) => groupId),
    ),
  ])
  return records.map((record) => ({
    ...record,
    expired: record.state === 'active' && record.dueDate !== null && record.dueDate < today(ctx),
    parentPath: defined(projects.get(record.projectId ?? 0) ?? groups.get(record.groupId ?? 0)),
  }))
}

export const completeMilestone = async (ctx: Context, record: MilestoneRecord): Promise<Milestone> =>
  defined((await completeMilestones(ctx, [record]))[0])

export async function milestonesById(
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Milestone>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows = await ctx.db.selectFrom('milestone').where('id', 'in', distinct).select(milestoneColumns).execute()
  return new Map((await completeMilestones(ctx, rows)).map((milestone) => [milestone.id, milestone]))
}

/** A milestone that is available in a project, its own or that of an ancestor group, by id or title. */
export async function findMilestone(
  ctx: Context,
  project: { id: number; namespaceId: number },
  ref: number | string,
): Promise<MilestoneRecord> {
  const ancestors = ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', project.namespaceId)
    .select('ancestorId')
  const row = await ctx.db
    .selectFrom('milestone')
    .where(typeof ref === 'number' ? 'id' : 'title', '=', ref)
    .where((eb) => eb.or([eb('projectId', '=', project.id), eb('groupId', 'in', ancestors)]))
    .select(milestoneColumns)
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('Milestone')
  return row
}

/** @throws PlatformError `not_found` unless the milestone belongs to the project or group itself */
export const assertOwnMilestone = async (
  ctx: Context,
  subject: Subjects['project'] | Subjects['group'],
  id: number,
): Promise<void> => {
  if (!(await milestonesOf(ctx, subject).where('milestone.id', '=', id).executeTakeFirst())) throw notFound('Milestone')
}
