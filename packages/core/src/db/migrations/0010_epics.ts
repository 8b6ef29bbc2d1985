import { loose, no, owned, required, type Schema, table } from '../columns.ts'

export async function up(db: Schema): Promise<void> {
  await table(db, 'epic')
    .addColumn('iid', 'integer', required)
    .addColumn('group_id', 'bigint', owned('namespace'))
    .addColumn('author_id', 'bigint', owned('user'))
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('state', 'text', required)
    .addColumn('confidential', 'boolean', no)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('closed_at', 'text')
    .addColumn('closed_by_id', 'bigint', loose('user'))
    .addUniqueConstraint('epic_iid_key', ['group_id', 'iid'])
    .execute()
  await db.schema.createIndex('epic_author').on('epic').column('author_id').execute()
  await db.schema.createIndex('epic_closed_by').on('epic').column('closed_by_id').execute()
}
