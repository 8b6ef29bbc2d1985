import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { loadVotes } from '../issuables/relations.ts'
import type { Epic, EpicParent, EpicRecord } from './epic.ts'

export const epicColumns = [
  'epic.id',
  'epic.iid',
  'epic.groupId',
  'epic.authorId',
  'epic.title',
  'epic.description',
  'epic.state',
  'epic.confidential',
  'epic.createdAt',
  'epic.updatedAt',
  'epic.closedAt',
  'epic.closedById',
  'epic.startDate',
  'epic.dueDate',
  'epic.startDateIsFixed',
  'epic.dueDateIsFixed',
  'epic.color',
] as const

/** Finds an epic by group and id, without a permission check. */
export async function findEpic(ctx: Context, groupId: number, id: number): Promise<EpicRecord | undefined> {
  return ctx.db
    .selectFrom('epic')
    .where('groupId', '=', groupId)
    .where('id', '=', id)
    .select(epicColumns)
    .executeTakeFirst()
}

/** Finds an epic by group and iid, without a permission check. */
export async function findEpicByIid(ctx: Context, groupId: number, iid: number): Promise<EpicRecord | undefined> {
  return ctx.db
    .selectFrom('epic')
    .where('groupId', '=', groupId)
    .where('iid', '=', iid)
    .select(epicColumns)
    .executeTakeFirst()
}

const loadLabels = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string[]>> => {
  const rows = await ctx.db
    .selectFrom('epicLabel')
    .innerJoin('label', 'label.id', 'epicLabel.labelId')
    .where('epicLabel.epicId', 'in', ids)
    .orderBy('label.name')
    .select(['epicLabel.epicId', 'label.name'])
    .execute()
  const labels = new Map<number, string[]>()
  for (const { epicId, name } of rows) labels.set(epicId, [...(labels.get(epicId) ?? []), name])
  return labels
}

/** The first and the last day of the milestones of the issues of epics. */
const loadMilestoneDates = async (ctx: Context, ids: readonly number[]) => {
  const rows = await ctx.db
    .selectFrom('epicIssue')
    .innerJoin('issue', 'issue.id', 'epicIssue.issueId')
    .innerJoin('milestone', 'milestone.id', 'issue.milestoneId')
    .where('epicIssue.epicId', 'in', ids)
    .groupBy('epicIssue.epicId')
    .select(({ fn }) => [
      'epicIssue.epicId',
      fn.min('milestone.startDate').as('startDate'),
      fn.max('milestone.dueDate').as('dueDate'),
    ])
    .execute()
  return new Map(rows.map(({ epicId, ...dates }) => [epicId, dates]))
}

const loadParents = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, EpicParent>> => {
  const rows = await ctx.db
    .selectFrom('epicLink')
    .innerJoin('epic as parent', 'parent.id', 'epicLink.parentId')
    .where('epicLink.id', 'in', ids)
    .select(['epicLink.id as childId', 'parent.id', 'parent.iid', 'parent.groupId'])
    .execute()
  return new Map(rows.map(({ childId, ...parent }) => [childId, parent]))
}

const loadGroupPaths = async (ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const rows = await ctx.db.selectFrom('namespace').where('id', 'in', ids).select(['id', 'fullPath']).execute()
  return new Map(rows.map(({ id, fullPath }) => [id, fullPath]))
}

/** Loads the users, labels, votes, parents and groups of the epics. The number of queries does not depend on the number of epics. */
export async function completeEpics(ctx: Context, records: readonly EpicRecord[]): Promise<Epic[]> {
  if (!records.length) return []
  const ids = records.map(({ id }) => id)
  const [users, labels, votes, dates, parents, paths] = await awaitAll([
    userSummaries(
      ctx,
      records.flatMap(({ authorId, closedById }) => [authorId, closedById]),
    ),
    loadLabels(ctx, ids),
    loadVotes(ctx, 'epicId', ids),
    loadMilestoneDates(ctx, ids),
    loadParents(ctx, ids),
    loadGroupPaths(ctx, [...new Set(records.map(({ groupId }) => groupId))]),
  ])
  return records.map((record) => ({
    ...record,
    author: defined(users.get(record.authorId)),
    closedBy: record.closedById === null ? null : (users.get(record.closedById) ?? null),
    labels: labels.get(record.id) ?? [],
    ...votes(record.id),
    groupPath: defined(paths.get(record.groupId)),
    parent: parents.get(record.id) ?? null,
    startDateFromMilestones: dates.get(record.id)?.startDate ?? null,
    dueDateFromMilestones: dates.get(record.id)?.dueDate ?? null,
  }))
}
