import { isPostgres, type Schema } from '../columns.ts'

/** What is asked for by its number in a project or a group. */
const numbered = ['milestone', 'issue', 'merge_request', 'epic'] as const

/**
 * Numbers as wide as ids. PostgreSQL refuses to compare a narrow column with a number that it cannot hold, where the answer
 * is that there is no such row; SQLite has one width.
 */
export async function up(db: Schema): Promise<void> {
  if (!isPostgres(db)) return
  for (const table of numbered) {
    await db.schema
      .alterTable(table)
      .alterColumn('iid', (column) => column.setDataType('bigint'))
      .execute()
  }
}
