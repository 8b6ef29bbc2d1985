import {
  cascadeReference,
  createTableWithId,
  isPostgres,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'release')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('tag', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('description', 'text')
    .addColumn('sha', 'text')
    .addColumn('author_id', 'bigint', setNullReference('user'))
    .addColumn('released_at', 'text', notNull)
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('release_tag', ['project_id', 'tag'])
    .execute()
  for (const order of ['released_at', 'created_at']) {
    await db.schema.createIndex(`release_project_${order}`).on('release').columns(['project_id', order, 'id']).execute()
  }
  await db.schema.createIndex('release_author').on('release').column('author_id').execute()
  await createTableWithId(db, 'release_link')
    .addColumn('release_id', 'bigint', cascadeReference('release'))
    .addColumn('name', 'text', notNull)
    .addColumn('url', 'text', notNull)
    .addColumn('link_type', 'text', notNull)
    .addColumn('filepath', 'text')
    .addUniqueConstraint('release_link_name', ['release_id', 'name'])
    .addUniqueConstraint('release_link_url', ['release_id', 'url'])
    .execute()
  await db.schema
    .createTable('release_milestone')
    .addColumn('release_id', 'bigint', cascadeReference('release'))
    .addColumn('milestone_id', 'bigint', cascadeReference('milestone'))
    .addPrimaryKeyConstraint('release_milestone_pkey', ['release_id', 'milestone_id'])
    .execute()
  await db.schema.createIndex('release_milestone_milestone').on('release_milestone').column('milestone_id').execute()
  await createTableWithId(db, 'upload')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('secret', 'text', notNull)
    .addColumn('file_name', 'text', notNull)
    .addColumn('size', 'bigint', notNull)
    .addColumn('content', isPostgres(db) ? 'bytea' : 'blob', notNull)
    .addColumn('user_id', 'bigint', setNullReference('user'))
    .addColumn('created_at', 'text', notNull)
    .addUniqueConstraint('upload_secret', ['secret'])
    .execute()
  await db.schema.createIndex('upload_project').on('upload').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('upload_user').on('upload').column('user_id').execute()
}
