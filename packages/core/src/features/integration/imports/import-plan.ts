import type { ArchiveTarget } from '../../../contract/archive-data.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { selectGroupsBelow, selectProjectsBelow } from '../../accounts/removal/remove.ts'
import { updateProjectSettings } from '../../spaces/projects/stored-settings.ts'
import type { ArchiveKind, ImportOptions, ImportStage } from '../archives/archive.ts'
import { type ContainerColumns, removeArchiveFile } from '../archives/storage.ts'

/** An attempt to add the content of an archive to its project or group. */
export interface ImportPlan extends ContainerColumns {
  readonly id: number
  readonly kind: ArchiveKind
  /** Where the archive is. */
  readonly storageKey: string
  readonly target: Omit<ArchiveTarget, 'users' | 'addsMembers'>
  /** Whether an earlier attempt began: it can have added a part of the content. */
  readonly isRepeated: boolean
  /** Whether an administrator imports, who may name other users as authors and members. */
  readonly mapsUsers: boolean
  /** Where the repository of a project is created. The same for all attempts, so that the next one finds what this one leaves. */
  readonly repositoryKey: string
}

const setStage = async (
  ctx: Context,
  { id, projectId }: Pick<ImportPlan, 'id' | 'projectId'>,
  stage: ImportStage,
  error: string | null = null,
) => {
  await ctx.db.updateTable('archiveImport').set({ status: stage, error }).where('id', '=', id).execute()
  if (projectId !== null) await updateProjectSettings(ctx, projectId, { importStatus: stage, importError: error })
}

const selectUnfinished = ({ db }: Pick<Context, 'db'>, id: number) =>
  db.selectFrom('archiveImport').where('archiveImport.id', '=', id).where('status', 'in', ['scheduled', 'started'])

/** Begins an attempt; undefined for an import that has ended. */
export async function startImport(ctx: Context, id: number): Promise<ImportPlan | undefined> {
  const row = await selectUnfinished(ctx, id)
    .leftJoin('user', 'user.id', 'archiveImport.userId')
    .select(['projectId', 'groupId', 'archiveImport.status', 'storageKey', 'options', 'user.username', 'user.admin'])
    .executeTakeFirst()
  if (!row?.storageKey) return undefined
  const { projectId, groupId, storageKey, username, admin } = row
  const repositoryKey = row.options.repositoryKey ?? ctx.ports.repositories.createStorageKey()
  const options: ImportOptions = { ...row.options, repositoryKey }
  await ctx.db.updateTable('archiveImport').set({ options }).where('id', '=', id).execute()
  await setStage(ctx, { id, projectId }, 'started')
  return {
    id,
    projectId,
    groupId,
    storageKey,
    repositoryKey,
    kind: projectId === null ? 'group' : 'project',
    isRepeated: row.status === 'started',
    mapsUsers: admin ?? false,
    target: {
      id: defined(projectId ?? groupId),
      importer: username ?? '',
      now: ctx.now,
      overrides: options.overrides ?? { fields: {}, settings: {} },
      ...(options.replaces && { replaces: options.replaces }),
    },
  }
}

/** Whether an import has not ended. It has when the reply to its last commit was lost. */
export const isUnfinished = async (ctx: Context, { id }: ImportPlan): Promise<boolean> =>
  (await selectUnfinished(ctx, id).select('archiveImport.id').executeTakeFirst()) !== undefined

/** Shows a project, or a group with all that was created in it, to those who can see it by its visibility. */
const show = async (ctx: Context, { projectId, groupId }: ImportPlan) => {
  const { db } = ctx
  const shown = { importerId: null }
  if (projectId !== null) await db.updateTable('project').set(shown).where('id', '=', projectId).execute()
  if (groupId === null) return
  await db.updateTable('namespace').set(shown).where('id', 'in', selectGroupsBelow(ctx, groupId)).execute()
  await db.updateTable('project').set(shown).where('id', 'in', selectProjectsBelow(ctx, groupId)).execute()
}

/** Ends an import: others see the project or the group, and its archive is not needed any more. */
export async function endImport(ctx: Context, plan: ImportPlan, result: { readonly error: string } | 'finished') {
  const [stage, error] = result === 'finished' ? ([result, null] as const) : (['failed', result.error] as const)
  await setStage(ctx, plan, stage, error)
  await ctx.db.updateTable('archiveImport').set({ storageKey: null }).where('id', '=', plan.id).execute()
  await show(ctx, plan)
  await removeArchiveFile(ctx, plan.storageKey)
}
