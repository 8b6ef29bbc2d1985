import type { Context } from '../../../kernel/context.ts'
import type { Container } from '../../spaces/members/membership-rows.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import type { ExportDetails, ImportDetails } from './archive.ts'

/** The column and the id that select the row of a project or a group. */
const toKey = (subject: Container) =>
  subject.kind === 'project'
    ? ({ column: 'projectId', id: subject.project.id } as const)
    : ({ column: 'groupId', id: subject.group.id } as const)

const readNamespaceName = async ({ db }: Context, id: number): Promise<string> =>
  (await db.selectFrom('namespace').where('id', '=', id).select('fullName').executeTakeFirstOrThrow()).fullName

/** The fields of a project or a group that its export and its import have in common. */
const readContainer = async (ctx: Context, subject: Container) => {
  if (subject.kind === 'group') {
    const { id, name, fullName, path, fullPath, description, createdAt } = subject.group
    return {
      kind: subject.kind,
      id,
      name,
      nameWithNamespace: fullName,
      path,
      fullPath,
      description: description || null,
      createdAt,
    }
  }
  const { id, namespaceId, name, path, fullPath, description, createdAt } = subject.project
  const nameWithNamespace = `${await readNamespaceName(ctx, namespaceId)} / ${name}`
  return { kind: subject.kind, id, name, nameWithNamespace, path, fullPath, description, createdAt }
}

/** The stored export of a project or a group. Expired archives count as removed. */
export const findExport = async (ctx: Context, subject: Container) => {
  const { column, id } = toKey(subject)
  const row = await ctx.db.selectFrom('archiveExport').where(column, '=', id).selectAll().executeTakeFirst()
  if (row === undefined) return undefined
  const isDownloadable = row.storageKey !== null && row.expiresAt !== null && row.expiresAt > ctx.now
  return { ...row, isDownloadable }
}

type ExportRow = Awaited<ReturnType<typeof findExport>>

const toExportStatus = (row: ExportRow): ExportDetails['exportStatus'] => {
  if (row === undefined) return 'none'
  const { status, isDownloadable } = row
  if (status === 'finished') return isDownloadable ? status : 'none'
  return status !== 'failed' && isDownloadable ? 'regeneration_in_progress' : status
}

export const readExportDetails = async (ctx: Context, subject: Container): Promise<ExportDetails> => {
  const row = await findExport(ctx, subject)
  return {
    ...(await readContainer(ctx, subject)),
    exportStatus: toExportStatus(row),
    exportError: row?.error ?? null,
    isDownloadable: row?.isDownloadable ?? false,
    expiresAt: row?.isDownloadable ? row.expiresAt : null,
  }
}

export const readImportDetails = async (ctx: Context, subject: Container): Promise<ImportDetails> => {
  const { column, id } = toKey(subject)
  const row = await ctx.db
    .selectFrom('archiveImport')
    .where(column, '=', id)
    .select(['status', 'error', 'correlationId'])
    .executeTakeFirst()
  const state =
    subject.kind === 'project'
      ? await readProjectSettings(ctx, subject.project.id)
      : { importStatus: row?.status, importType: row ? 'gitlab_group' : null, importError: row?.error }
  return {
    ...(await readContainer(ctx, subject)),
    importStatus: state.importStatus ?? 'none',
    importType: state.importType,
    importError: state.importError ?? null,
    correlationId: row?.correlationId ?? null,
    failedRelations: [],
  }
}
