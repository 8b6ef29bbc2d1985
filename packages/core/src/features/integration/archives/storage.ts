import type { Context } from '../../../kernel/context.ts'
import { selectProjectsBelow } from '../../accounts/removal/remove.ts'

/** Tables with archives in the file storage. */
const tables = ['archiveExport', 'archiveImport'] as const

/** A project or a group, as the columns of a row. */
export interface ContainerColumns {
  readonly projectId: number | null
  readonly groupId: number | null
}

/** The prefix of the archives of a project or a group. */
export const archivePrefix = ({ projectId, groupId }: ContainerColumns): string =>
  projectId === null ? `archives/groups/${groupId}/` : `archives/projects/${projectId}/`

/** Removes an archive after the commit. */
export const removeArchiveFile = async (ctx: Context, storageKey: string | null): Promise<void> => {
  if (storageKey !== null) await ctx.enqueue('uploads.removeFile', { storageKey })
}

/** Removes the archives of a project that is removed. */
export async function removeProjectArchives(ctx: Context, projectId: number): Promise<void> {
  for (const table of tables) {
    const rows = ctx.db.selectFrom(table).where('projectId', '=', projectId).select('storageKey')
    for (const { storageKey } of await rows.execute()) await removeArchiveFile(ctx, storageKey)
  }
}

/** Removes the archives of a group that is removed, of its subgroups and of their projects. */
export async function removeGroupArchives(ctx: Context, groupId: number): Promise<void> {
  const groups = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', groupId).select('namespaceId')
  for (const table of tables) {
    const rows = ctx.db
      .selectFrom(table)
      .where((eb) => eb.or([eb('groupId', 'in', groups), eb('projectId', 'in', selectProjectsBelow(ctx, groupId))]))
      .select('storageKey')
    for (const { storageKey } of await rows.execute()) await removeArchiveFile(ctx, storageKey)
  }
}
