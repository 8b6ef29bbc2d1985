import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
} from '../schema/columns.ts'

const appearanceTexts = [
  'title',
  'description',
  'pwa_name',
  'pwa_short_name',
  'pwa_description',
  'new_project_guidelines',
  'profile_image_guidelines',
  'member_guidelines',
  'header_message',
  'footer_message',
  'message_background_color',
  'message_font_color',
]

/** Adds feature flags and the appearance of the instance, and secure files of projects. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'instance_feature')
    .addColumn('name', 'text', notNull)
    .addColumn('enabled', 'boolean', defaultFalse)
    .addColumn('percentage_of_actors', 'integer')
    .addColumn('percentage_of_time', 'integer')
    .addColumn('actors', 'json', notNull)
    .addColumn('feature_groups', 'json', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('instance_feature_name_key', ['name'])
    .execute()
  let appearance = db.schema
    .createTable('appearance')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('email_header_and_footer_enabled', 'boolean', defaultFalse)
    .addColumn('updated_at', 'text', notNull)
  for (const name of appearanceTexts) appearance = appearance.addColumn(name, 'text', notNull)
  await appearance.execute()
  await createTableWithId(db, 'secure_file')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('name', 'text', notNull)
    .addColumn('size', 'bigint', notNull)
    .addColumn('storage_key', 'text', notNull)
    .addColumn('sha256', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('secure_file_project_name_key', ['project_id', 'name'])
    .addUniqueConstraint('secure_file_storage_key_key', ['storage_key'])
    .execute()
  await db.schema.createIndex('secure_file_project').on('secure_file').columns(['project_id', 'id']).execute()
}
