import { cascadeReference, createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** The orders of lists of packages. */
const orders = ['created_at', 'name', 'version', 'package_type'] as const

/** Adds generic packages with their files. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'package')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('package_type', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('version', 'text', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema
    .createIndex('package_project_name_version')
    .unique()
    .on('package')
    .columns(['project_id', 'package_type', 'name', 'version'])
    .execute()
  for (const order of orders) {
    await db.schema
      .createIndex(`package_order_${order}`)
      .on('package')
      .columns(['project_id', 'status', order, 'id'])
      .execute()
  }
  await createTableWithId(db, 'package_file')
    .addColumn('package_id', 'bigint', cascadeReference('package'))
    .addColumn('file_name', 'text', notNull)
    .addColumn('size', 'bigint', notNull)
    .addColumn('sha256', 'text', notNull)
    .addColumn('sha1', 'text', notNull)
    .addColumn('md5', 'text', notNull)
    .addColumn('storage_key', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('package_file_package').on('package_file').columns(['package_id', 'id']).execute()
  await db.schema
    .createIndex('package_file_name')
    .on('package_file')
    .columns(['package_id', 'file_name', 'id'])
    .execute()
  await db.schema.createIndex('package_file_storage_key').unique().on('package_file').column('storage_key').execute()
}
