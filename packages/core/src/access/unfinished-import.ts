import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../contract/database.ts'
import { type Actor, getUserId, isAdministrator } from '../kernel/actor.ts'
import type { Context } from '../kernel/context.ts'

/** Projects and groups with the content of an unfinished import: only the importer and administrators see them. */

interface Imported {
  /** Null without an unfinished import. */
  readonly importerId: number | null
}

/** Whether an unfinished import hides the project or the group. */
export const isHiddenByImport = (actor: Actor, { importerId }: Imported): boolean =>
  importerId !== null && importerId !== getUserId(actor) && !isAdministrator(actor)

type ImportedExpressions = ExpressionBuilder<Database, 'project' | 'namespace'>

/** The opposite as a condition, on rows of `project` or `namespace`. */
export const isShownDuringImport = (
  { actor }: Pick<Context, 'actor'>,
  eb: unknown,
  column: 'project.importerId' | 'namespace.importerId',
): Expression<SqlBool> => {
  const rows = eb as ImportedExpressions
  if (isAdministrator(actor)) return rows.lit(true)
  const shown = rows(column, 'is', null)
  return actor.kind === 'user' ? rows.or([shown, rows(column, '=', actor.id)]) : shown
}

/** Ids of the projects that unfinished imports hide from an actor who is no administrator. Usually there are none. */
export const selectHiddenProjects = ({ db, actor }: Pick<Context, 'db' | 'actor'>) =>
  db
    .selectFrom('project as hidden')
    .where('hidden.importerId', 'is not', null)
    .where('hidden.importerId', '!=', getUserId(actor))
    .select('hidden.id')
