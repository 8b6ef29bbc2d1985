import type { Context } from '../../../kernel/context.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import type { NotificationScope } from './effective-settings.ts'

/** Whether the project or a group above has turned off emails. Lower ones cannot turn them on again. */
export async function areEmailsDisabled(ctx: Context, { projectId, namespaceId }: NotificationScope): Promise<boolean> {
  if (projectId !== null && (await readProjectSettings(ctx, projectId)).emailsDisabled) return true
  const rows = await ctx.db
    .selectFrom('namespaceLineage')
    .innerJoin('namespace', 'namespace.id', 'namespaceLineage.ancestorId')
    .where('namespaceLineage.namespaceId', '=', namespaceId)
    .select('namespace.settings')
    .execute()
  return rows.some(({ settings }) => settings?.emailsDisabled)
}
