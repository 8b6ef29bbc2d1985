import { type ColumnDefinitionBuilder, sql } from 'kysely'
import { isPostgres, no, owned, type Schema } from '../columns.ts'
import { statement } from '../statement.ts'
import { postgresTriggers } from './statistics-postgres.ts'
import { sqliteTriggers } from './statistics-sqlite.ts'

/** What a count needs of an issue, in the order in which the indexes hold it. */
const facts = ['project_id', 'state', 'confidential'] as const

const none = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

/** Links that are counted without looking at the issue behind each of them. */
const addFacts = async (db: Schema, name: string, to: string) => {
  await db.schema
    .alterTable(name)
    .addColumn('project_id', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable(name)
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('opened'))
    .execute()
  await db.schema.alterTable(name).addColumn('confidential', 'boolean', no).execute()
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
    // In order of issues, so that what else hangs on them is then found in order too.
    .columns([`${to}_id`, 'issue_id', ...facts])
    .execute()
}

const countedBy = async (db: Schema, name: string, column: string) => {
  await db.schema
    .createIndex(name)
    .on('issue')
    .columns([column, ...facts])
    .execute()
}

/**
 * Counting a million issues: how many each project has, links that say what a count asks of their issue, indexes that hold
 * everything a count reads, and an index of the words. All of it is kept by triggers: issues also go with their author,
 * their project or a label, which no operation sees row by row.
 */
export async function up(db: Schema): Promise<void> {
  await db.schema
    .createTable('issue_count')
    .addColumn('project_id', 'bigint', (column) => owned('project')(column).primaryKey())
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
    // Words of fewer than three letters are no part of the index of words; whole texts that short are rare.
    await db.schema
      .createIndex(`issue_short_${column}`)
      .on('issue')
      .expression(sql`lower(${sql.ref(column)})`)
      .where(sql`length(${sql.ref(column)})`, '<', sql.lit(3))
      .execute()
  }
  for (const text of isPostgres(db) ? postgresTriggers : sqliteTriggers) await statement(text).execute(db)
}
