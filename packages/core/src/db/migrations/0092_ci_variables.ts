import {
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

/** Adds variables of pipelines that projects, groups and the instance define. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'ci_variable')
    .addColumn('scope', 'text', notNull)
    .addColumn('project_id', 'bigint', optionalCascadeReference('project'))
    .addColumn('group_id', 'bigint', optionalCascadeReference('namespace'))
    .addColumn('key', 'text', notNull)
    .addColumn('sealed_value', 'text', notNull)
    .addColumn('variable_type', 'text', notNull)
    .addColumn('protected', 'boolean', defaultFalse)
    .addColumn('masked', 'boolean', defaultFalse)
    .addColumn('raw', 'boolean', defaultFalse)
    .addColumn('environment_scope', 'text', notNull)
    .execute()
  await db.schema
    .createIndex('ci_variable_scope')
    .unique()
    .on('ci_variable')
    .columns(['scope', 'key', 'environment_scope'])
    .execute()
  await db.schema.createIndex('ci_variable_order').on('ci_variable').columns(['scope', 'id']).execute()
  for (const owner of ['project_id', 'group_id'])
    await db.schema.createIndex(`ci_variable_${owner}`).on('ci_variable').column(owner).execute()
}
