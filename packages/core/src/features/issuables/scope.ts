import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { IssueScope } from '../../access/issue-rows.ts'
import type { Database } from '../../contract/database.ts'

type ProjectExpressions = ExpressionBuilder<Database, 'project'>

/** On rows of `project`: the project is in the scope of a list, and not archived if `nonArchived` is set. */
export const isInScope =
  (scope: IssueScope, nonArchived = false) =>
  (eb: ProjectExpressions): Expression<SqlBool> =>
    eb.and([
      ...(nonArchived ? [eb('project.archived', '=', false)] : []),
      ...(scope.kind === 'project' ? [eb('project.id', '=', scope.project.id)] : []),
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
