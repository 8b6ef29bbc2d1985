import { randomBytes } from 'node:crypto'
import { loose, no, owned, required, type Schema, yes } from '../columns.ts'

/** One statement for each column: SQLite adds them one by one. */
const addToGroups = async (db: Schema) => {
  const change = () => db.schema.alterTable('namespace')
  await change().addColumn('share_with_group_lock', 'boolean', no).execute()
  await change()
    .addColumn('project_creation_level', 'text', (column) => column.notNull().defaultTo('developer'))
    .execute()
  await change()
    .addColumn('subgroup_creation_level', 'text', (column) => column.notNull().defaultTo('owner'))
    .execute()
  await change().addColumn('settings', 'json').execute()
}

const addToProjects = async (db: Schema) => {
  const change = () => db.schema.alterTable('project')
  await change().addColumn('forked_from_id', 'bigint', loose('project')).execute()
  await change().addColumn('empty_repo', 'boolean', yes).execute()
  await change().addColumn('has_security_reports', 'boolean', no).execute()
  await change().addColumn('settings', 'json').execute()
  await db.schema.createIndex('project_forked_from').on('project').column('forked_from_id').execute()
}

/** Groups from before get their tokens now. */
const giveTokens = async (db: Schema) => {
  const groups = await db.selectFrom('namespace').where('kind', '=', 'group').select('id').execute()
  for (const { id } of groups) {
    const token = randomBytes(20).toString('base64url')
    await db.insertInto('runners_token').values({ group_id: id, token }).execute()
  }
}

export async function up(db: Schema): Promise<void> {
  await addToGroups(db)
  await addToProjects(db)

  await db.schema
    .createTable('runners_token')
    .addColumn('group_id', 'bigint', owned('namespace'))
    .addColumn('token', 'text', required)
    .addPrimaryKeyConstraint('runners_token_pkey', ['group_id'])
    .addUniqueConstraint('runners_token_key', ['token'])
    .execute()
  await giveTokens(db)

  await db.schema
    .createTable('project_star')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('user_id', 'bigint', owned('user'))
    .addColumn('created_at', 'text', required)
    .addPrimaryKeyConstraint('project_star_pkey', ['project_id', 'user_id'])
    .execute()
  await db.schema.createIndex('project_star_user').on('project_star').columns(['user_id', 'project_id']).execute()

  await db.schema
    .createTable('project_size')
    .addColumn('project_id', 'bigint', owned('project'))
    .addColumn('repository_size', 'bigint', required)
    .addColumn('wiki_size', 'bigint', required)
    .addColumn('lfs_objects_size', 'bigint', required)
    .addColumn('job_artifacts_size', 'bigint', required)
    .addColumn('packages_size', 'bigint', required)
    .addPrimaryKeyConstraint('project_size_pkey', ['project_id'])
    .execute()
}
