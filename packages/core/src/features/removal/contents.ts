import type { Expression, SelectQueryBuilder } from 'kysely'
import type { Database } from '../../contract/database.ts'
import type { Context } from '../../kernel/context.ts'

/** The projects with the contents to remove: their ids, or a query that selects them. */
type ProjectIds = Expression<{ id: number }> | readonly number[]

/**
 * The tables of which a project can have very many rows. Deleting a row also deletes what belongs to it, such as the comments of
 * an issue and the jobs of a pipeline. Rows of other tables are deleted with the project.
 */
const contentTables = ['todo', 'event', 'issue', 'mergeRequest', 'pipeline', 'deployment', 'commitComment'] as const

/** The tables of items with comments, and the column of a comment that refers to them. */
const noteables = [
  ['issue', 'issueId'],
  ['mergeRequest', 'mergeRequestId'],
] as const

/** The tables with contributions of a user. */
const contributionTables = ['issue', 'mergeRequest', 'epic', 'note', 'commitComment'] as const

/** A request deletes at most this many rows of a table. More would block other writers for longer than about 0.1 s. */
const maxRowsInRequest = 1_000

/** Rows that one transaction of a job deletes or changes. */
const batchSize = 200

const exceedsRequest = async (rows: SelectQueryBuilder<Database, 'issue' | 'note', { id: number }>) =>
  (await rows.limit(1).offset(maxRowsInRequest).executeTakeFirst()) !== undefined

const selectContents = ({ db }: Context, table: (typeof importedTables)[number], projectIds: ProjectIds) =>
  db
    .selectFrom(table as 'issue')
    .where('projectId', 'in', projectIds as readonly number[])
    .select('id')

/** Whether the projects have so many contents that a job must remove them. */
export async function haveManyContents(ctx: Context, projectIds: ProjectIds): Promise<boolean> {
  for (const table of contentTables) {
    if (await exceedsRequest(selectContents(ctx, table, projectIds))) return true
  }
  for (const [table, key] of noteables) {
    const notes = ctx.db.selectFrom('note').where(key, 'in', selectContents(ctx, table, projectIds))
    if (await exceedsRequest(notes.select('id'))) return true
  }
  return false
}

/** Tables with rows of an import, besides those above. */
const importedTables = [
  ...contentTables,
  ...([
    'label',
    'milestone',
    'snippet',
    'release',
    'board',
    'badge',
    'wikiPage',
    'protectedReference',
    'hook',
  ] as const),
] as const

/** Deletes some rows that an import adds to a project. Returns whether there can be more. */
export const removeImported = (ctx: Context, projectId: number): Promise<boolean> =>
  removeContents(ctx, projectId, importedTables)

/** Deletes some contents of a project. Returns whether there can be more. */
export async function removeContents(
  ctx: Context,
  projectId: number,
  tables: typeof importedTables | typeof contentTables = contentTables,
): Promise<boolean> {
  for (const table of tables) {
    const ids = selectContents(ctx, table, [projectId]).orderBy('id').limit(batchSize)
    const removed = await ctx.db
      .deleteFrom(table as 'issue')
      .where('id', 'in', ids)
      .returning('id')
      .execute()
    if (removed.length) return true
  }
  return false
}

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
