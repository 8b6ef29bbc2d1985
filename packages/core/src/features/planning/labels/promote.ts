import type { Project } from '../../../contract/project.ts'
import { insertSelected } from '../../../db/insert-selected.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Label } from './label.ts'
import { insertLabel } from './mutations.ts'

const promotionError = () => invalid('Failed to promote project label to group label')

/**
 * Turns a project label into a label of the project's group and merges all labels of the same name in the group's projects
 * and subgroups into it, with their issues, merge requests, priorities and subscriptions.
 *
 * @returns the id of the group label
 */
export async function promoteLabel(ctx: Context, project: Project, label: Label): Promise<number> {
  const namespace = await ctx.db
    .selectFrom('namespace')
    .where('id', '=', project.namespaceId)
    .select(['id', 'kind'])
    .executeTakeFirstOrThrow()
  if (namespace.kind !== 'group' || !label.isProjectLabel) throw promotionError()
  const groupLabelId = await findOrCreateGroupLabel(ctx, namespace.id, label)
  const merged = await findDescendantLabelIds(ctx, namespace.id, label.name, groupLabelId)
  for (const id of merged) await moveLinks(ctx, id, groupLabelId)
  await ctx.db.deleteFrom('label').where('id', 'in', merged).execute()
  return groupLabelId
}

const findOrCreateGroupLabel = async (
  ctx: Context,
  groupId: number,
  { name, color, description }: Label,
): Promise<number> => {
  const existing = await ctx.db
    .selectFrom('label')
    .where('groupId', '=', groupId)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  return existing?.id ?? insertLabel(ctx, { groupId, projectId: null, name, color, description })
}

const findDescendantLabelIds = async (
  ctx: Context,
  groupId: number,
  name: string,
  except: number,
): Promise<number[]> => {
  const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId).select('namespaceId')
  const rows = await ctx.db
    .selectFrom('label')
    .leftJoin('project', 'project.id', 'label.projectId')
    .where('label.name', '=', name)
    .where('label.id', '!=', except)
    .where((eb) => eb.or([eb('project.namespaceId', 'in', below), eb('label.groupId', 'in', below)]))
    .select('label.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Moves or copies the rows that reference a label to another label, which keeps the rows it already has. */
const moveLinks = async ({ db }: Context, from: number, to: number) => {
  await db.updateTable('resourceEvent').set({ labelId: to }).where('labelId', '=', from).execute()
  const issues = db.selectFrom('issueLabel').where('labelId', '=', from)
  await insertSelected(db, 'issueLabel', issues, ({ val, ref }) => ({ issueId: ref('issueId'), labelId: val(to) }))
    .onConflict((key) => key.doNothing())
    .execute()
  const mergeRequests = db.selectFrom('mergeRequestLabel').where('labelId', '=', from)
  await insertSelected(db, 'mergeRequestLabel', mergeRequests, ({ val, ref }) => ({
    mergeRequestId: ref('mergeRequestId'),
    labelId: val(to),
  }))
    .onConflict((key) => key.doNothing())
    .execute()
  const priorities = db.selectFrom('labelPriority').where('labelId', '=', from)
  await insertSelected(db, 'labelPriority', priorities, ({ val, ref }) => ({
    labelId: val(to),
    projectId: ref('projectId'),
    priority: ref('priority'),
  }))
    .onConflict((key) => key.doNothing())
    .execute()
  const subscriptions = db.selectFrom('labelSubscription').where('labelId', '=', from)
  await insertSelected(db, 'labelSubscription', subscriptions, ({ val, ref }) => ({
    labelId: val(to),
    projectId: ref('projectId'),
    userId: ref('userId'),
  }))
    .onConflict((key) => key.doNothing())
    .execute()
}
