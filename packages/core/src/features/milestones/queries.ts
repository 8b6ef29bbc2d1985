import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Subjects } from '../../policy.ts'
import type { Milestone } from './milestone.ts'

const columns = [
  'id',
  'iid',
  'projectId',
  'groupId',
  'title',
  'description',
  'state',
  'startDate',
  'dueDate',
  'createdAt',
  'updatedAt',
] as const

/** Milestones of a project or a group itself, newest first. */
export const milestonesOf = (ctx: Context, subject: Subjects['project'] | Subjects['group']) =>
  ctx.db
    .selectFrom('milestone')
    .where((eb) =>
      subject.kind === 'project' ? eb('projectId', '=', subject.project.id) : eb('groupId', '=', subject.group.id),
    )
    .orderBy('id', 'desc')
    .select(columns)

/** The milestones with these ids. */
export async function milestonesById(
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Milestone>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows = await ctx.db.selectFrom('milestone').where('id', 'in', distinct).select(columns).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A milestone that things in a project can have, by id or title: the project's own or one of the groups above. */
export async function findMilestone(
  ctx: Context,
  project: { id: number; namespaceId: number },
  ref: number | string,
): Promise<Milestone> {
  const above = ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', project.namespaceId)
    .select('ancestorId')
  const row = await ctx.db
    .selectFrom('milestone')
    .where(typeof ref === 'number' ? 'id' : 'title', '=', ref)
    .where((eb) => eb.or([eb('projectId', '=', project.id), eb('groupId', 'in', above)]))
    .select(columns)
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('Milestone')
  return row
}
