import type { CompleteRow } from '../../../db/complete-row.ts'
import { insertSelected } from '../../../db/insert-selected.ts'
import type { Context } from '../../../kernel/context.ts'
import { nextInternalId } from '../../../kernel/internal-id.ts'

/**
 * Issues and merge requests use labels and milestones of the groups above their project. Those that are out of reach after the
 * project has moved are replaced by ones of the same name that are in reach, or by new ones of the project.
 */

interface MovedProject {
  readonly id: number
  readonly namespaceId: number
}

const selectReachableGroups = ({ db }: Context, { namespaceId }: MovedProject) =>
  db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')

const selectIssues = ({ db }: Context, { id }: MovedProject) =>
  db.selectFrom('issue').where('projectId', '=', id).select('issue.id')

const selectMergeRequests = ({ db }: Context, { id }: MovedProject) =>
  db.selectFrom('mergeRequest').where('projectId', '=', id).select('mergeRequest.id')

const findUnreachableLabels = (ctx: Context, project: MovedProject) => {
  const ofIssues = ctx.db.selectFrom('issueLabel').where('issueId', 'in', selectIssues(ctx, project)).select('labelId')
  const ofMergeRequests = ctx.db
    .selectFrom('mergeRequestLabel')
    .where('mergeRequestId', 'in', selectMergeRequests(ctx, project))
    .select('labelId')
  return ctx.db
    .selectFrom('label')
    .where((eb) => eb.or([eb('id', 'in', ofIssues), eb('id', 'in', ofMergeRequests)]))
    .where('groupId', 'is not', null)
    .where('groupId', 'not in', selectReachableGroups(ctx, project))
    .orderBy('id')
    .select(['id', 'name', 'color', 'description'])
    .execute()
}

/** The id of the label or milestone in reach with this name. */
const findReachable = async (
  ctx: Context,
  project: MovedProject,
  table: 'label' | 'milestone',
  column: 'name' | 'title',
  value: string,
): Promise<number | undefined> => {
  const row = await ctx.db
    .selectFrom(table as 'label')
    .where(column as 'name', '=', value)
    .where((eb) => eb.or([eb('projectId', '=', project.id), eb('groupId', 'in', selectReachableGroups(ctx, project))]))
    .orderBy('id')
    .select('id')
    .executeTakeFirst()
  return row?.id
}

/** Moves the links of one label to another; items that have both keep one. */
const replaceLabel = async (ctx: Context, project: MovedProject, from: number, to: number) => {
  const { db } = ctx
  await insertSelected(
    db,
    'issueLabel',
    db.selectFrom('issueLabel').where('labelId', '=', from).where('issueId', 'in', selectIssues(ctx, project)),
    ({ val, ref }) => ({ issueId: ref('issueId'), labelId: val(to) }),
  )
    .onConflict((key) => key.doNothing())
    .execute()
  await db
    .deleteFrom('issueLabel')
    .where('labelId', '=', from)
    .where('issueId', 'in', selectIssues(ctx, project))
    .execute()
  await insertSelected(
    db,
    'mergeRequestLabel',
    db
      .selectFrom('mergeRequestLabel')
      .where('labelId', '=', from)
      .where('mergeRequestId', 'in', selectMergeRequests(ctx, project)),
    ({ val, ref }) => ({ mergeRequestId: ref('mergeRequestId'), labelId: val(to) }),
  )
    .onConflict((key) => key.doNothing())
    .execute()
  await db
    .deleteFrom('mergeRequestLabel')
    .where('labelId', '=', from)
    .where('mergeRequestId', 'in', selectMergeRequests(ctx, project))
    .execute()
}

const replaceLabels = async (ctx: Context, project: MovedProject) => {
  for (const { id, ...properties } of await findUnreachableLabels(ctx, project)) {
    let to = await findReachable(ctx, project, 'label', 'name', properties.name)
    if (to === undefined) {
      const keys = { projectId: project.id, groupId: null, createdAt: ctx.now, updatedAt: ctx.now }
      const row = await ctx.db
        .insertInto('label')
        .values({ ...properties, ...keys } satisfies CompleteRow<'label'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      to = row.id
    }
    await replaceLabel(ctx, project, id, to)
  }
}

const findUnreachableMilestones = (ctx: Context, project: MovedProject) => {
  const { db } = ctx
  const ofIssues = db.selectFrom('issue').where('projectId', '=', project.id).select('milestoneId')
  const ofMergeRequests = db.selectFrom('mergeRequest').where('projectId', '=', project.id).select('milestoneId')
  return db
    .selectFrom('milestone')
    .where((eb) => eb.or([eb('id', 'in', ofIssues), eb('id', 'in', ofMergeRequests)]))
    .where('groupId', 'is not', null)
    .where('groupId', 'not in', selectReachableGroups(ctx, project))
    .orderBy('id')
    .select(['id', 'title', 'description', 'state', 'startDate', 'dueDate', 'createdAt'])
    .execute()
}

const replaceMilestones = async (ctx: Context, project: MovedProject) => {
  for (const { id: from, ...milestone } of await findUnreachableMilestones(ctx, project)) {
    let to = await findReachable(ctx, project, 'milestone', 'title', milestone.title)
    if (to === undefined) {
      const iid = await nextInternalId(ctx, 'milestone', project.id)
      const keys = { projectId: project.id, groupId: null, iid, updatedAt: ctx.now }
      const row = await ctx.db
        .insertInto('milestone')
        .values({ ...milestone, ...keys } satisfies CompleteRow<'milestone'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      to = row.id
    }
    for (const table of ['issue', 'mergeRequest'] as const) {
      await ctx.db
        .updateTable(table)
        .set({ milestoneId: to })
        .where('projectId', '=', project.id)
        .where('milestoneId', '=', from)
        .execute()
    }
  }
}

/** An issue can be in an epic of the groups above its project only. */
const removeFromEpics = async (ctx: Context, project: MovedProject) => {
  await ctx.db
    .deleteFrom('epicIssue')
    .where('issueId', 'in', selectIssues(ctx, project))
    .where(({ exists, not, selectFrom }) => {
      const reachable = selectFrom('epic')
        .innerJoin('namespaceLineage', 'namespaceLineage.ancestorId', 'epic.groupId')
        .whereRef('epic.id', '=', 'epicIssue.epicId')
        .where('namespaceLineage.namespaceId', '=', project.namespaceId)
      return not(exists(reachable.select('epic.id')))
    })
    .execute()
}

/** Replaces the labels and milestones of groups that the project is no longer in, and leaves their epics. */
export async function replaceGroupItems(ctx: Context, project: MovedProject): Promise<void> {
  await replaceLabels(ctx, project)
  await replaceMilestones(ctx, project)
  await removeFromEpics(ctx, project)
}
