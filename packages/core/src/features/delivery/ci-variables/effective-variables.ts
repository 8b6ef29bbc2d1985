import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { openVariable, selectVariables } from './store.ts'

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

/**
 * The values of the stored variables that the pipelines of a project receive in all environments: those of the instance, of its
 * groups and of the project, later ones replacing earlier ones. Protected variables belong to protected branches and tags only.
 */
export const readEffectiveVariables = async (
  ctx: Context,
  { id: projectId, namespaceId }: Pick<Project, 'id' | 'namespaceId'>,
  isProtected: boolean,
): Promise<Readonly<Record<string, string>>> => {
  const groups = await listAncestors(ctx, namespaceId)
  const owners = [
    { projectId: null, groupId: null },
    ...groups.map((groupId) => ({ projectId: null, groupId })),
    { projectId, groupId: null },
  ]
  const values: Record<string, string> = {}
  for (const owner of owners) {
    const rows = await selectVariables(ctx, owner).where('environmentScope', '=', '*').execute()
    for (const variable of rows.map(openVariable(ctx)))
      if (isProtected || !variable.protected) values[variable.key] = variable.value
  }
  return values
}
