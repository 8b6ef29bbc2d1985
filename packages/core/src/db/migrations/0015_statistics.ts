import { type ColumnDefinitionBuilder, sql } from 'kysely'
import { cascadeReference, defaultFalse, isPostgres, type MigrationDatabase } from '../schema/columns.ts'
import { statement } from '../statement.ts'
import { postgresTriggers } from './statistics-postgres.ts'
import { sqliteTriggers } from './statistics-sqlite.ts'

/** The columns that counts filter by, in the order of the indexes. */
const facts = ['project_id', 'state', 'confidential'] as const

const none = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

/** Copies the columns to a link table, so that counting links does not read their issues. */
const addFacts = async (db: MigrationDatabase, name: string, to: string) => {
  await db.schema
    .alterTable(name)
    .addColumn('project_id', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable(name)
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('opened'))
    .execute()
  await db.schema.alterTable(name).addColumn('confidential', 'boolean', defaultFalse).execute()
  await db
    .updateTable(name)
    .set((eb) =>
      Object.fromEntries(
        facts.map((fact) => [fact, eb.selectFrom('issue').whereRef('issue.id', '=', `${name}.issue_id`).select(fact)]),
      ),
    )
    .execute()
  await db.schema.dropIndex(`${name}_${to}`).execute()
  await db.schema
    .createIndex(`${name}_${to}`)
    .on(name)
    // Ordered by issue, so that joins with other tables of the issue also read in order.
    .columns([`${to}_id`, 'issue_id', ...facts])
    .execute()
}

const countedBy = async (db: MigrationDatabase, name: string, column: string) => {
  await db.schema
    .createIndex(name)
    .on('issue')
    .columns([column, ...facts])
    .execute()
}

/**
 * Speeds up counting a million issues: counts per project, copies of issue columns in link tables, covering indexes and a
 * full-text index. Maintained by triggers, because deleting an author, a project or a label also deletes issues or links
 * by cascade.
 */
export async function up(db: MigrationDatabase): Promise<void> {
  await db.schema
    .createTable('issue_count')
    .addColumn('project_id', 'bigint', (column) => cascadeReference('project')(column).primaryKey())
    .addColumn('opened', 'integer', none)
    .addColumn('closed', 'integer', none)
    .addColumn('secret_opened', 'integer', none)
    .addColumn('secret_closed', 'integer', none)
    .execute()
  await db
    .insertInto('issue_count')
    .columns(['project_id', 'opened', 'closed', 'secret_opened', 'secret_closed'])
    .expression((eb) => {
      const count = (state: string, confidential: boolean) =>
        eb.fn.countAll().filterWhere('state', '=', state).filterWhere('confidential', '=', confidential)
      return eb
        .selectFrom('issue')
        .groupBy('project_id')
        .select([
          'project_id',
          count('opened', false).as('opened'),
          count('closed', false).as('closed'),
          count('opened', true).as('secret_opened'),
          count('closed', true).as('secret_closed'),
        ])
    })
    .execute()
  await addFacts(db, 'issue_label', 'label')
  await addFacts(db, 'issue_assignee', 'user')
  for (const column of ['author', 'milestone']) {
    await db.schema.dropIndex(`issue_${column}`).execute()
    await countedBy(db, `issue_${column}`, `${column}_id`)
  }
  await countedBy(db, 'issue_created', 'created_at')
  await countedBy(db, 'issue_updated', 'updated_at')
  await db.schema
    .createIndex('issue_project')
    .on('issue')
    .columns([...facts])
    .execute()
  await db.schema.createIndex('project_issues').on('project').column('issues_access_level').execute()
  await db.schema.createIndex('label_name').on('label').column('name').execute()
  for (const column of ['title', 'description']) {
    // Trigram indexes do not contain texts of fewer than three characters, which are rare.
    await db.schema
      .createIndex(`issue_short_${column}`)
      .on('issue')
      .expression(sql`lower(${sql.ref(column)})`)
      .where(sql`length(${sql.ref(column)})`, '<', sql.lit(3))
      .execute()
  }
  for (const text of isPostgres(db) ? postgresTriggers : sqliteTriggers) await statement(text).execute(db)
}
