import type { Kysely } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Project } from '../projects/project.ts'
import type { Label } from './label.ts'

const refused = () => invalid('Failed to promote project label to group label')

/**
 * Makes a project's label a label of its group. Labels of the same name in all projects below the group become one with it:
 * what carried them carries the group label, with priorities and subscriptions kept.
 *
 * @returns the id of the group label
 */
export async function promoteLabel(ctx: Context, project: Project, label: Label): Promise<number> {
  const home = await ctx.db
    .selectFrom('namespace')
    .where('id', '=', project.namespaceId)
    .select(['id', 'kind'])
    .executeTakeFirstOrThrow()
  if (home.kind !== 'group' || !label.isProjectLabel) throw refused()
  const groupLabelId = await groupLabel(ctx, home.id, label)
  const merged = await sameNameBelow(ctx, home.id, label.name, groupLabelId)
  for (const id of merged) await moveLinks(ctx, id, groupLabelId)
  await ctx.db.deleteFrom('label').where('id', 'in', merged).execute()
  return groupLabelId
}

const groupLabel = async (ctx: Context, groupId: number, { name, color, description }: Label): Promise<number> => {
  const known = await ctx.db
    .selectFrom('label')
    .where('groupId', '=', groupId)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  if (known) return known.id
  const [made] = await ctx.db
    .insertInto('label')
    .values({ groupId, projectId: null, name, color, description, createdAt: ctx.now, updatedAt: ctx.now })
    .returning('id')
    .execute()
  return (made as { id: number }).id
}

const sameNameBelow = async (ctx: Context, groupId: number, name: string, except: number): Promise<number[]> => {
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

/** Everything that points at a label, and what else identifies the row. */
const links = [
  { table: 'issueLabel', rest: ['issueId'] },
  { table: 'mergeRequestLabel', rest: ['mergeRequestId'] },
  { table: 'labelPriority', rest: ['projectId', 'priority'] },
  { table: 'labelSubscription', rest: ['projectId', 'userId'] },
]

const moveLinks = async (ctx: Context, from: number, to: number) => {
  // biome-ignore lint/suspicious/noExplicitAny: one loop over four tables, whose column names stand above
  const db: Kysely<any> = ctx.db
  for (const { table, rest } of links) {
    await db
      .insertInto(table)
      .columns(['labelId', ...rest])
      .expression(
        db
          .selectFrom(table)
          .where('labelId', '=', from)
          .select((eb) => [eb.val(to).as('labelId'), ...rest]),
      )
      .onConflict((key) => key.doNothing())
      .execute()
  }
}
