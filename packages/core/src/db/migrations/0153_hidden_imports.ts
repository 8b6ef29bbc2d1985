import type { MigrationDatabase } from '../schema/columns.ts'

/** The tables of projects and groups, and the column of an import that names their rows. */
const containers = [
  ['project', 'project_id'],
  ['namespace', 'group_id'],
] as const

/**
 * Hides the content of unfinished imports. The column is no reference: the content stays hidden when the importer is removed.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  for (const [table, column] of containers) {
    await db.schema.alterTable(table).addColumn('importer_id', 'bigint').execute()
    const unfinished = db
      .selectFrom('archive_import')
      .whereRef(`archive_import.${column}`, '=', `${table}.id`)
      .where('archive_import.status', 'in', ['scheduled', 'started'])
    await db
      .updateTable(table)
      .set({ importer_id: unfinished.select('archive_import.user_id') })
      .where(({ exists }) => exists(unfinished.select('archive_import.id')))
      .execute()
  }
  await db.schema
    .createIndex('project_importer')
    .on('project')
    .column('importer_id')
    .where('importer_id', 'is not', null)
    .execute()
}
