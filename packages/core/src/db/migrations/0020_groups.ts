import { randomBytes } from 'node:crypto'
import {
  cascadeReference,
  defaultFalse,
  defaultTrue,
  type MigrationDatabase,
  notNull,
  setNullReference,
} from '../schema/columns.ts'

/** One statement per column: SQLite can add only one column at a time. */
const addToGroups = async (db: MigrationDatabase) => {
  const change = () => db.schema.alterTable('namespace')
  await change().addColumn('share_with_group_lock', 'boolean', defaultFalse).execute()
  await change()
    .addColumn('project_creation_level', 'text', (column) => column.notNull().defaultTo('developer'))
    .execute()
  await change()
    .addColumn('subgroup_creation_level', 'text', (column) => column.notNull().defaultTo('owner'))
    .execute()
  await change().addColumn('settings', 'json').execute()
}

const addToProjects = async (db: MigrationDatabase) => {
  const change = () => db.schema.alterTable('project')
  await change().addColumn('forked_from_id', 'bigint', setNullReference('project')).execute()
  await change().addColumn('empty_repo', 'boolean', defaultTrue).execute()
  await change().addColumn('has_security_reports', 'boolean', defaultFalse).execute()
  await change().addColumn('settings', 'json').execute()
  await db.schema.createIndex('project_forked_from').on('project').column('forked_from_id').execute()
}

/** Creates the tokens of existing groups. */
const giveTokens = async (db: MigrationDatabase) => {
  const groups = await db.selectFrom('namespace').where('kind', '=', 'group').select('id').execute()
  for (const { id } of groups) {
    const token = randomBytes(20).toString('base64url')
    await db.insertInto('runners_token').values({ group_id: id, token }).execute()
  }
}

export async function up(db: MigrationDatabase): Promise<void> {
  await addToGroups(db)
  await addToProjects(db)

  await db.schema
    .createTable('runners_token')
    .addColumn('group_id', 'bigint', cascadeReference('namespace'))
    .addColumn('token', 'text', notNull)
    .addPrimaryKeyConstraint('runners_token_pkey', ['group_id'])
    .addUniqueConstraint('runners_token_key', ['token'])
    .execute()
  await giveTokens(db)

  await db.schema
    .createTable('project_star')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('user_id', 'bigint', cascadeReference('user'))
    .addColumn('created_at', 'text', notNull)
    .addPrimaryKeyConstraint('project_star_pkey', ['project_id', 'user_id'])
    .execute()
  await db.schema.createIndex('project_star_user').on('project_star').columns(['user_id', 'project_id']).execute()

  await db.schema
    .createTable('project_size')
    .addColumn('project_id', 'bigint', cascadeReference('project'))
    .addColumn('repository_size', 'bigint', notNull)
    .addColumn('wiki_size', 'bigint', notNull)
    .addColumn('lfs_objects_size', 'bigint', notNull)
    .addColumn('job_artifacts_size', 'bigint', notNull)
    .addColumn('packages_size', 'bigint', notNull)
    .addPrimaryKeyConstraint('project_size_pkey', ['project_id'])
    .execute()
}
