import type { Expression } from 'kysely'
import type { Context } from '../../kernel/context.ts'

/** Projects whose contents are removed: their ids, or a query that selects them. */
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

const exists = async (rows: { executeTakeFirst(): Promise<unknown> }) => (await rows.executeTakeFirst()) !== undefined

/** Whether the projects have so many contents that a job must remove them. */
export async function haveManyContents({ db }: Context, projectIds: ProjectIds): Promise<boolean> {
  for (const table of contentTables) {
    const rows = db.selectFrom(table as 'issue').where('projectId', 'in', projectIds as readonly number[])
    if (await exists(rows.select('id').limit(1).offset(maxRowsInRequest))) return true
  }
  for (const [table, key] of noteables) {
    const commented = db.selectFrom(table as 'issue').where('projectId', 'in', projectIds as readonly number[])
    const notes = db.selectFrom('note').where(key, 'in', commented.select('id'))
    if (await exists(notes.select('id').limit(1).offset(maxRowsInRequest))) return true
  }
  return false
}

/** Deletes some contents of a project. Returns whether there can be more. */
export async function removeContents({ db }: Context, projectId: number): Promise<boolean> {
  for (const table of contentTables) {
    const rows = db
      .selectFrom(table as 'issue')
      .where('projectId', '=', projectId)
      .orderBy('id')
      .limit(batchSize)
    const removed = await db
      .deleteFrom(table as 'issue')
      .where('id', 'in', rows.select('id'))
      .returning('id')
      .execute()
    if (removed.length) return true
  }
  return false
}

const selectContributions = ({ db }: Context, table: (typeof contributionTables)[number], userId: number) =>
  db.selectFrom(table as 'issue').where('authorId', '=', userId)

/** Whether the user has so many contributions that a job must move or remove them. */
export async function hasManyContributions(ctx: Context, userId: number): Promise<boolean> {
  for (const table of contributionTables) {
    const rows = selectContributions(ctx, table, userId)
    if (await exists(rows.select('id').limit(1).offset(maxRowsInRequest))) return true
  }
  return false
}

/** Gives some contributions of a user another author, or deletes them if there is none. Returns whether there can be more. */
export async function moveContributions(ctx: Context, userId: number, authorId: number | undefined): Promise<boolean> {
  for (const table of contributionTables) {
    const ids = selectContributions(ctx, table, userId).orderBy('id').limit(batchSize).select('id')
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
