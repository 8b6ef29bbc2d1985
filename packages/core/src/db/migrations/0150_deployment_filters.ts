import { sql } from 'kysely'
import { cascadeReference, type MigrationDatabase } from '../schema/columns.ts'

/** What lists of merge requests, deployments and users are filtered and sorted by. */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema.alterTable('deployment').addColumn('finished_at', 'text').execute()
  await db
    .updateTable('deployment')
    .set((eb) => ({ finished_at: eb.ref('updated_at') }))
    .where('status', 'in', ['success', 'failed', 'canceled'])
    .execute()
  await db.schema
    .createIndex('deployment_project_finished_at')
    .on('deployment')
    .columns(['project_id', 'finished_at', 'id'])
    .execute()
  await db.schema
    .createTable('deployment_merge_request')
    .addColumn('merge_request_id', 'bigint', cascadeReference('merge_request'))
    .addColumn('deployment_id', 'bigint', cascadeReference('deployment'))
    .addPrimaryKeyConstraint('deployment_merge_request_key', ['merge_request_id', 'deployment_id'])
    .execute()
  await db.schema
    .createIndex('deployment_merge_request_deployment')
    .on('deployment_merge_request')
    .column('deployment_id')
    .execute()
  await linkLastDeployments(db)
  await createUserIndexes(db)
}

const createUserIndexes = async (db: MigrationDatabase) => {
  for (const column of ['name', 'username', 'created_at', 'updated_at'])
    await db.schema.createIndex(`user_order_${column}`).on('user').columns([column, 'id']).execute()
  await db.schema.createIndex('user_public_email').on('user').expression(sql`lower(public_email)`).execute()
}

/** The last deployment of each environment gets the merge requests of the earlier ones, too. */
const linkLastDeployments = async (db: MigrationDatabase) => {
  const rows = await db
    .selectFrom('deployment')
    .where('status', '=', 'success')
    .groupBy('environment_id')
    .select((eb) => eb.fn.max('id').as('id'))
    .execute()
  const now = new Date(0).toISOString()
  for (const { id } of rows) {
    const deployment = Number(id)
    const payload = JSON.stringify({ deployment })
    await db
      .insertInto('job')
      .values({
        kind: 'deployments.linkMergeRequests',
        key: String(deployment),
        payload,
        state: 'pending',
        run_after: now,
        created_at: now,
      })
      .execute()
  }
}
