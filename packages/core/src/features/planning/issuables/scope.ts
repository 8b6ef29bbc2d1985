import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import type { ListSubject } from '../milestones/subject.ts'

type ProjectExpressions = ExpressionBuilder<Database, 'project'>

/** On rows of `project`: the project is in the scope of a list, and if `nonArchived` is set, not one of several archived ones. */
export const isInScope =
  (scope: ListSubject, nonArchived = false) =>
  (eb: ProjectExpressions): Expression<SqlBool> =>
    eb.and([
      ...(nonArchived && !('project' in scope) ? [eb('project.archived', '=', false)] : []),
      ...('project' in scope ? [eb('project.id', '=', scope.project.id)] : []),
      ...(scope.kind === 'group'
        ? [
            eb(
              'project.namespaceId',
              'in',
              eb.selectFrom('namespaceLineage').where('ancestorId', '=', scope.group.id).select('namespaceId'),
            ),
          ]
        : []),
    ])

/** Adds the place of the list to issues or merge requests, which are referred to from there. */
export const withListPlace = <T extends object>(
  scope: ListSubject,
  items: readonly T[],
): (T & { listedIn?: string })[] =>
  'project' in scope
    ? [...items]
    : items.map((item) => ({ ...item, listedIn: scope.kind === 'group' ? scope.group.fullPath : '' }))
