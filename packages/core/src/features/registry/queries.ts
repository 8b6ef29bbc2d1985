import { switchedOff } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { RepositoryRow } from './container-repository.ts'

type Reading = Pick<Context, 'db'>

/** Whether a project has its container registry switched on: unless somebody has switched it off. */
export async function containerRegistryEnabled({ db }: Reading, projectId: number): Promise<boolean> {
  const row = await db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  return row?.settings?.containerRegistryEnabled !== false
}

/** Repositories with the full path of their project. */
export const repositoriesIn = ({ db }: Reading) =>
  db
    .selectFrom('containerRepository')
    .innerJoin('project', 'project.id', 'containerRepository.projectId')
    .select([
      'containerRepository.id',
      'containerRepository.name',
      'containerRepository.projectId',
      'containerRepository.createdAt',
      'containerRepository.leaving',
      'project.fullPath',
    ])

/**
 * Repositories of a group and of the groups below it. Whoever is a reporter of the group is one of every project there, so
 * the only ones that they may not read are those of projects that have switched their registry off.
 */
export const repositoriesBelow = (ctx: Reading, groupId: number) =>
  repositoriesIn(ctx)
    .innerJoin('namespaceLineage as down', 'down.namespaceId', 'project.namespaceId')
    .where('down.ancestorId', '=', groupId)
    .where((eb) => eb.not(switchedOff('project.settings', 'containerRegistryEnabled')))

/** One repository of a project. */
export async function findRepository(ctx: Reading, projectId: number, id: number): Promise<RepositoryRow> {
  const row = await repositoriesIn(ctx)
    .where('containerRepository.projectId', '=', projectId)
    .where('containerRepository.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** A repository by its id alone; `undefined` once it is gone. */
export const repositoryById = (ctx: Reading, id: number): Promise<RepositoryRow | undefined> =>
  repositoriesIn(ctx).where('containerRepository.id', '=', id).executeTakeFirst()
