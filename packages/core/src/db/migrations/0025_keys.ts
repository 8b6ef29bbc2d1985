import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  defaultTrue,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
  setNullReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  const texts = ['bio', 'location', 'public_email', 'skype', 'linkedin', 'twitter', 'website_url', 'organization']
  for (const name of texts) {
    await db.schema
      .alterTable('user')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  }
  for (const name of ['last_sign_in_at', 'current_sign_in_at', 'confirmed_at', 'last_activity_on']) {
    await db.schema.alterTable('user').addColumn(name, 'text').execute()
  }
  const numbers = { theme_id: 1, color_scheme_id: 1, projects_limit: 100_000 }
  for (const [name, usual] of Object.entries(numbers)) {
    await db.schema
      .alterTable('user')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(usual))
      .execute()
  }
  for (const name of ['shared_runners_minutes_limit', 'extra_shared_runners_minutes_limit']) {
    await db.schema.alterTable('user').addColumn(name, 'integer').execute()
  }
  await db.schema.alterTable('user').addColumn('can_create_group', 'boolean', defaultTrue).execute()
  await db.schema.alterTable('user').addColumn('two_factor_enabled', 'boolean', defaultFalse).execute()

  await createTableWithId(db, 'ssh_key')
    .addColumn('user_id', 'bigint', optionalCascadeReference('user'))
    .addColumn('creator_id', 'bigint', setNullReference('user'))
    .addColumn('deploy', 'boolean', defaultFalse)
    .addColumn('title', 'text', notNull)
    .addColumn('key', 'text', notNull)
    .addColumn('sha256', 'text', notNull)
    .addColumn('md5', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addColumn('expires_at', 'text')
    .addUniqueConstraint('ssh_key_sha256_key', ['sha256'])
    .execute()
  await db.schema.createIndex('ssh_key_md5').on('ssh_key').column('md5').execute()
  await db.schema.createIndex('ssh_key_user').on('ssh_key').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('ssh_key_creator').on('ssh_key').column('creator_id').execute()

  await createTableWithId(db, 'deploy_key_project')
    .addColumn('deploy_key_id', 'bigint', cascadeReference('ssh_key'))
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('can_push', 'boolean', defaultFalse)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .addUniqueConstraint('deploy_key_project_key', ['deploy_key_id', 'project_id'])
    .execute()
  await db.schema
    .createIndex('deploy_key_project_project')
    .on('deploy_key_project')
    .columns(['project_id', 'id'])
    .execute()
}
