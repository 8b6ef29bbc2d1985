import { no, owned, ownedIfAny, required, type Schema, table } from '../columns.ts'

const kinds = ['issue', 'merge_request', 'snippet', 'epic'] as const

export async function up(db: Schema): Promise<void> {
  await table(db, 'note')
    .addColumn('issue_id', 'bigint', ownedIfAny('issue'))
    .addColumn('merge_request_id', 'bigint', ownedIfAny('merge_request'))
    .addColumn('snippet_id', 'bigint', ownedIfAny('snippet'))
    .addColumn('epic_id', 'bigint', ownedIfAny('epic'))
    .addColumn('author_id', 'bigint', owned('user'))
    .addColumn('body', 'text', required)
    .addColumn('system', 'boolean', no)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema.createIndex('note_author').on('note').column('author_id').execute()
  // A note hangs on one thing: indexes of the rows that have it keep each as small as its kind.
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
