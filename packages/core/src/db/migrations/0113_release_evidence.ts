import { cascadeReference, createTableWithId, type MigrationDatabase, notNull } from '../schema/columns.ts'

/** Adds evidence of releases: records of their contents at a time. */
export async function up(db: MigrationDatabase): Promise<void> {
  await createTableWithId(db, 'release_evidence')
    .addColumn('release_id', 'bigint', cascadeReference('release'))
    .addColumn('sha', 'text', notNull)
    .addColumn('data', 'text', notNull)
    .addColumn('collected_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('release_evidence_release').on('release_evidence').columns(['release_id', 'id']).execute()
}
