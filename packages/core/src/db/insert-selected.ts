import {
  type AliasableExpression,
  type ExpressionBuilder,
  expressionBuilder,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type SelectQueryBuilder,
} from 'kysely'
import type { Database } from '../contract/database.ts'
import type { CompleteRow } from './complete-row.ts'

/** A complete row of a table as expressions over the rows of another query. */
type SelectedRow<Table extends keyof Database> = {
  readonly [Column in keyof CompleteRow<Table>]: AliasableExpression<
    Column extends keyof Insertable<Database[Table]> ? Insertable<Database[Table]>[Column] : never
  >
}

/** `insert into table (…) select … from source`, with an expression for every column of the table. */
export function insertSelected<Table extends keyof Database, Source extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  source: SelectQueryBuilder<Database, Source, unknown>,
  row: (eb: ExpressionBuilder<Database, Source>) => SelectedRow<Table>,
): InsertQueryBuilder<Database, Table, InsertResult> {
  const columns = Object.entries<AliasableExpression<unknown>>(row(expressionBuilder<Database, Source>()))
  return db
    .insertInto(table)
    .columns(columns.map(([column]) => column) as never)
    .expression(source.select(columns.map(([column, value]) => value.as(column))) as never)
}
