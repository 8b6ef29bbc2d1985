import {
  cascadeReference,
  createTableWithId,
  defaultFalse,
  type MigrationDatabase,
  notNull,
  optionalCascadeReference,
} from '../schema/columns.ts'

const kinds = ['issue', 'merge_request', 'snippet', 'epic'] as const

export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'note')
    .addColumn('issue_id', 'bigint', optionalCascadeReference('issue'))
    .addColumn('merge_request_id', 'bigint', optionalCascadeReference('merge_request'))
    .addColumn('snippet_id', 'bigint', optionalCascadeReference('snippet'))
    .addColumn('epic_id', 'bigint', optionalCascadeReference('epic'))
    .addColumn('author_id', 'bigint', cascadeReference('user'))
    .addColumn('body', 'text', notNull)
    .addColumn('system', 'boolean', defaultFalse)
    .addColumn('created_at', 'text', notNull)
    .addColumn('updated_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('note_author').on('note').column('author_id').execute()
  // A note belongs to one item: a partial index per kind contains only the notes of that kind.
  for (const kind of kinds) {
    for (const order of ['created_at', 'updated_at']) {
      await db.schema
        .createIndex(`note_${kind}_${order}`)
        .on('note')
        .columns([`${kind}_id`, order, 'id'])
        .where(`${kind}_id`, 'is not', null)
        .execute()
    }
  }
}
