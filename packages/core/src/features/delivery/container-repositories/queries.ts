import { isShownDuringImport } from '../../../access/unfinished-import.ts'
import { jsonText } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { ContainerRepositoryRow } from './container-repository.ts'
import type { ContainerRepositoryStatus } from './tables.ts'

type DatabaseContext = Pick<Context, 'db'>

/** Repositories with the full path of their project. */
export const selectRepositories = ({ db }: DatabaseContext) =>
  db
    .selectFrom('containerRepository')
    .innerJoin('project', 'project.id', 'containerRepository.projectId')
    .select([
      'containerRepository.id',
      'containerRepository.name',
      'containerRepository.projectId',
      'containerRepository.createdAt',
      'containerRepository.status',
      'containerRepository.cleanupPolicyStartedAt',
      'project.fullPath',
    ])

/**
 * Repositories of a group and its subgroups. A reporter of the group is a reporter of all its projects, so only
 * projects with a disabled registry or an unfinished import have to be excluded.
 */
export const selectRepositoriesBelow = (ctx: DatabaseContext & Pick<Context, 'actor'>, groupId: number) =>
  selectRepositories(ctx)
    .innerJoin('namespaceLineage as down', 'down.namespaceId', 'project.namespaceId')
    .where('down.ancestorId', '=', groupId)
    .where(jsonText('project.restrictedFeatures', 'containerRegistry'), 'is distinct from', 'disabled')
    .where((eb) => isShownDuringImport(ctx, eb, 'project.importerId'))

/** One repository of a project. */
export async function getRepository(
  ctx: DatabaseContext,
  projectId: number,
  id: number,
): Promise<ContainerRepositoryRow> {
  const row = await selectRepositories(ctx)
    .where('containerRepository.projectId', '=', projectId)
    .where('containerRepository.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** A repository by id; `undefined` if it does not exist. */
export const findRepositoryById = (ctx: DatabaseContext, id: number): Promise<ContainerRepositoryRow | undefined> =>
  selectRepositories(ctx).where('containerRepository.id', '=', id).executeTakeFirst()

/** Records the state of a deletion. */
export const setRepositoryStatus = (
  { db }: DatabaseContext,
  id: number,
  status: ContainerRepositoryStatus,
): Promise<unknown> => db.updateTable('containerRepository').set({ status }).where('id', '=', id).execute()
