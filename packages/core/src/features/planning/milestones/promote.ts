import { group } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { nextInternalId } from '../../../kernel/internal-id.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import type { MilestoneRecord } from './milestone.ts'

/** The milestones of the same title in the projects of the group and its subgroups. */
const findEqualIds = async (ctx: Context, groupId: number, title: string): Promise<number[]> => {
  const namespaces = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId).select('namespaceId')
  const rows = await ctx.db
    .selectFrom('milestone')
    .innerJoin('project', 'project.id', 'milestone.projectId')
    .where('project.namespaceId', 'in', namespaces)
    .where('milestone.title', '=', title)
    .select('milestone.id')
    .execute()
  return rows.map(({ id }) => id)
}

const findOrCreateGroupMilestone = async (ctx: Context, groupId: number, milestone: MilestoneRecord) => {
  const existing = await ctx.db
    .selectFrom('milestone')
    .where('groupId', '=', groupId)
    .where('title', '=', milestone.title)
    .select('id')
    .executeTakeFirst()
  if (existing) return existing.id
  const { title, description, state, startDate, dueDate, createdAt } = milestone
  const row = await ctx.db
    .insertInto('milestone')
    .values({
      projectId: null,
      groupId,
      iid: await nextInternalId(ctx, 'groupMilestone', groupId),
      title,
      description,
      state,
      startDate,
      dueDate,
      createdAt,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'milestone'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Replaces milestones of projects by one of the group. @returns its id */
export const promoteMilestone = async (
  ctx: Context,
  { project }: Subjects['project'],
  milestone: MilestoneRecord,
): Promise<number> => {
  const namespace = await ctx.db
    .selectFrom('namespace')
    .where('id', '=', project.namespaceId)
    .select('kind')
    .executeTakeFirstOrThrow()
  if (namespace.kind !== 'group') throw invalid('Project does not belong to a group.')
  assertAbility(ctx.actor, await group.load(ctx, { group: project.namespaceId }), 'milestone.manage')
  const equalIds = await findEqualIds(ctx, project.namespaceId, milestone.title)
  const id = await findOrCreateGroupMilestone(ctx, project.namespaceId, milestone)
  for (const table of ['issue', 'mergeRequest', 'resourceEvent'] as const) {
    await ctx.db.updateTable(table).set({ milestoneId: id }).where('milestoneId', 'in', equalIds).execute()
  }
  await ctx.db.deleteFrom('milestone').where('id', 'in', equalIds).execute()
  return id
}
