import type { Expression, SelectQueryBuilder } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import type { Context } from '../../../kernel/context.ts'

/** Ids, or a query that selects them. */
type Ids = Expression<{ id: number }> | readonly number[]

/** The projects and the groups with the contents to remove; those of the groups without subgroups and projects. */
interface Containers {
  readonly projectId?: Ids
  readonly groupId?: Ids
}

type ContainerColumn = keyof Containers

/**
 * The tables of which a project or a group can have very many rows. Deleting a row also deletes what belongs to it, such as the
 * comments of an issue and the jobs of a pipeline. Rows of other tables are deleted with the project or the group.
 */
const contentTables = {
  projectId: ['todo', 'event', 'issue', 'mergeRequest', 'pipeline', 'deployment', 'commitComment'],
  groupId: ['todo', 'epic'],
} as const

/** Tables with rows of an import, in addition to those above. */
const importedTables = {
  projectId: [
    ...contentTables.projectId,
    'label',
    'milestone',
    'snippet',
    'release',
    'board',
    'badge',
    'wikiPage',
    'protectedReference',
    'hook',
  ],
  groupId: [...contentTables.groupId, 'label', 'milestone', 'board', 'badge', 'wikiPage'],
} as const

type ContentTable = (typeof importedTables)[ContainerColumn][number]

/** The tables of items with comments, and the column of a comment that refers to them. */
const noteables = {
  projectId: [
    ['issue', 'issueId'],
    ['mergeRequest', 'mergeRequestId'],
  ],
  groupId: [['epic', 'epicId']],
} as const

/** The tables with contributions of a user. */
const contributionTables = ['issue', 'mergeRequest', 'epic', 'note', 'commitComment'] as const

/** A request deletes at most this many rows of a table. More would block other writers for longer than about 0.1 s. */
const maxRowsInRequest = 1_000

/** Rows that one transaction of a job deletes or changes. */
const batchSize = 200

const exceedsRequest = async <T extends 'todo' | 'note' | 'issue'>(
  rows: SelectQueryBuilder<Database, T, { id: number }>,
) => (await rows.limit(1).offset(maxRowsInRequest).executeTakeFirst()) !== undefined

const selectContents = ({ db }: Context, table: ContentTable, column: ContainerColumn, ids: Ids) =>
  db
    .selectFrom(table as 'todo')
    .where(column, 'in', ids as readonly number[])
    .select('id')

/** Whether the projects and groups have so many contents that a job must remove them. */
export async function haveManyContents(ctx: Context, containers: Containers): Promise<boolean> {
  for (const column of ['projectId', 'groupId'] as const) {
    const ids = containers[column]
    if (ids === undefined) continue
    for (const table of contentTables[column]) {
      if (await exceedsRequest(selectContents(ctx, table, column, ids))) return true
    }
    for (const [table, key] of noteables[column]) {
      const notes = ctx.db.selectFrom('note').where(key, 'in', selectContents(ctx, table, column, ids))
      if (await exceedsRequest(notes.select('id'))) return true
    }
  }
  return false
}

const removeSome = async (
  ctx: Context,
  tables: typeof contentTables | typeof importedTables,
  column: ContainerColumn,
  id: number,
): Promise<boolean> => {
  for (const table of tables[column]) {
    const ids = selectContents(ctx, table, column, [id]).orderBy('id').limit(batchSize)
    const removed = await ctx.db
      .deleteFrom(table as 'todo')
      .where('id', 'in', ids)
      .returning('id')
      .execute()
    if (removed.length) return true
  }
  return false
}

/** Deletes some contents of a project or a group. Returns whether there can be more. */
export const removeContents = (ctx: Context, column: ContainerColumn, id: number): Promise<boolean> =>
  removeSome(ctx, contentTables, column, id)

/** Deletes some rows that an import adds to a project or a group. Returns whether there can be more. */
export const removeImported = (ctx: Context, column: ContainerColumn, id: number): Promise<boolean> =>
  removeSome(ctx, importedTables, column, id)

const selectContributions = ({ db }: Context, table: (typeof contributionTables)[number], userId: number) =>
  db
    .selectFrom(table as 'issue')
    .where('authorId', '=', userId)
    .select('id')

/** Whether the user has so many contributions that a job must move or remove them. */
export async function hasManyContributions(ctx: Context, userId: number): Promise<boolean> {
  for (const table of contributionTables) {
    if (await exceedsRequest(selectContributions(ctx, table, userId))) return true
  }
  return false
}

/** Gives some contributions of a user another author, or deletes them if there is none. Returns whether there can be more. */
export async function moveContributions(ctx: Context, userId: number, authorId: number | undefined): Promise<boolean> {
  for (const table of contributionTables) {
    const ids = selectContributions(ctx, table, userId).orderBy('id').limit(batchSize)
    const changed =
      authorId === undefined
        ? await ctx.db
            .deleteFrom(table as 'issue')
            .where('id', 'in', ids)
            .returning('id')
            .execute()
        : await ctx.db
            .updateTable(table as 'issue')
            .set({ authorId })
            .where('id', 'in', ids)
            .returning('id')
            .execute()
    if (changed.length) return true
  }
  return false
}
