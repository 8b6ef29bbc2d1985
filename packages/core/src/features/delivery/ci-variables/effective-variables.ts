import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { matchesName } from '../../code/protected-references/reference-names.ts'
import { type OpenVariable, openVariable, selectVariables } from './store.ts'

/** The groups above a namespace, the outermost first. */
const listAncestors = async ({ db }: Context, namespaceId: number): Promise<readonly number[]> => {
  const rows = await db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .orderBy('depth', 'desc')
    .select('ancestorId')
    .execute()
  return rows.map(({ ancestorId }) => ancestorId)
}

/** Whether the scope of a variable contains an environment; jobs without one have the variables of all environments. */
const hasEnvironment = (scope: string, environment: string | null) =>
  scope === '*' || (environment !== null && matchesName(scope, environment))

/**
 * The stored variables of a job: those of the instance, of the groups and of the project, later ones replacing earlier ones, and in one
 * place those with the longest environment scope. Protected variables belong to protected branches and tags only.
 */
export const readJobVariables = async (
  ctx: Context,
  { id: projectId, namespaceId }: Pick<Project, 'id' | 'namespaceId'>,
  { isProtected, environment }: { readonly isProtected: boolean; readonly environment: string | null },
): Promise<readonly OpenVariable[]> => {
  const groups = await listAncestors(ctx, namespaceId)
  const owners = [
    { projectId: null, groupId: null },
    ...groups.map((groupId) => ({ projectId: null, groupId })),
    { projectId, groupId: null },
  ]
  const variables = new Map<string, OpenVariable>()
  for (const owner of owners) {
    const rows = await selectVariables(ctx, owner).execute()
    const known = rows
      .filter((row) => hasEnvironment(row.environmentScope, environment) && (isProtected || !row.protected))
      .toSorted((a, b) => a.environmentScope.length - b.environmentScope.length)
    for (const variable of known.map(openVariable(ctx))) variables.set(variable.key, variable)
  }
  return [...variables.values()]
}
