import { isPostgres, type MigrationDatabase, notNull } from '../schema/columns.ts'
import { statement } from '../statement.ts'

/** The owners of counters, with the kinds of internal ids that are counted for each. */
const owners = [
  { table: 'project', kinds: ['issue', 'mergeRequest', 'milestone', 'deployment'] },
  { table: 'namespace', kinds: ['epic', 'groupMilestone'] },
] as const

const statements = (postgres: boolean) =>
  owners.flatMap(({ table, kinds }) => {
    const kindsIn = kinds.map((kind) => `'${kind}'`).join(', ')
    const remove = `delete from {internal_id} where kind in (${kindsIn}) and owner_id = old.id;`
    const trigger = `create trigger {#${table}_counters} after delete on {${table}}`
    if (!postgres) return [`${trigger} begin ${remove} end`]
    return [
      `create function {${table}_counters}() returns trigger language plpgsql as $$ begin ${remove} return null; end $$`,
      `${trigger} for each row execute function {${table}_counters}()`,
    ]
  })

/**
 * Adds rate limits, and triggers that delete the counters of a deleted project or group. A foreign key is not possible: the
 * kind of a counter decides which table its owner is in.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('rate_limit')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('hits', 'json', notNull)
    .addColumn('expires_at', 'text', notNull)
    .execute()
  await db.schema.createIndex('rate_limit_expired').on('rate_limit').column('expires_at').execute()
  await db
    .deleteFrom('internal_id')
    .where((eb) =>
      eb.or(
        owners.map(({ table, kinds }) =>
          eb.and([eb('kind', 'in', kinds), eb('owner_id', 'not in', eb.selectFrom(table).select('id'))]),
        ),
      ),
    )
    .execute()
  for (const text of statements(isPostgres(db))) await statement(text).execute(db)
}
