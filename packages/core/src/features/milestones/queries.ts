import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
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

/** Milestones of a project or a group, without those of its ancestors, newest first. */
export const milestonesOf = (ctx: Context, subject: Subjects['project'] | Subjects['group']) =>
  ctx.db
    .selectFrom('milestone')
    .where((eb) =>
      subject.kind === 'project' ? eb('projectId', '=', subject.project.id) : eb('groupId', '=', subject.group.id),
    )
    .orderBy('id', 'desc')
    .select(columns)

export async function milestonesById(
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Milestone>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows = await ctx.db.selectFrom('milestone').where('id', 'in', distinct).select(columns).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A milestone that is available in a project, its own or that of an ancestor group, by id or title. */
export async function findMilestone(
  ctx: Context,
  project: { id: number; namespaceId: number },
  ref: number | string,
): Promise<Milestone> {
  const ancestors = ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', project.namespaceId)
    .select('ancestorId')
  const row = await ctx.db
    .selectFrom('milestone')
    .where(typeof ref === 'number' ? 'id' : 'title', '=', ref)
    .where((eb) => eb.or([eb('projectId', '=', project.id), eb('groupId', 'in', ancestors)]))
    .select(columns)
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('Milestone')
  return row
}
