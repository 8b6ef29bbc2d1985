import type { Context } from '../../../kernel/context.ts'
import { preparedQuery } from '../../../kernel/prepared-query.ts'
import type { Handle } from '../../../kernel/store.ts'
import type { Repository } from '../../../ports/git.ts'
import type { Ports } from '../../../ports/ports.ts'

const storageKeyQuery = preparedQuery((db, { projectId }: { projectId: number }) =>
  db.selectFrom('projectRepository').where('projectId', '=', projectId).select('place'),
)

/** The storage key of a project's repository; undefined for a project without one. */
export async function findStorageKey(handle: Handle, projectId: number): Promise<string | undefined> {
  const [row] = await storageKeyQuery(handle, { projectId })
  return row?.place
}

/**
 * The repository of a project; undefined for a project without one. Reads the database only. Call the methods of the
 * returned repository outside transactions.
 */
export async function findGitRepository(
  ctx: Handle & { readonly ports: Pick<Ports, 'git' | 'repositories'> },
  projectId: number,
): Promise<Repository | undefined> {
  const storageKey = await findStorageKey(ctx, projectId)
  return storageKey === undefined ? undefined : ctx.ports.git.open(ctx.ports.repositories.directoryOf(storageKey))
}

/** Whether other databases use the repository of a project, so that it must be copied before it changes. */
export async function isRepositoryShared(
  ctx: Handle & { readonly ports: Pick<Ports, 'repositories'> },
  projectId: number,
): Promise<boolean> {
  const storageKey = await findStorageKey(ctx, projectId)
  return storageKey !== undefined && !ctx.ports.repositories.canModifyInPlace(storageKey)
}

/** Storage keys of the repositories of a project, or of all projects below a group. */
export async function findStorageKeys(
  { db }: Pick<Context, 'db'>,
  owner: { readonly projectId: number } | { readonly groupId: number },
): Promise<readonly string[]> {
  const rows = db.selectFrom('projectRepository').select('place')
  const owned =
    'projectId' in owner
      ? rows.where('projectId', '=', owner.projectId)
      : rows.where('projectId', 'in', (eb) =>
          eb
            .selectFrom('project')
            .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'project.namespaceId')
            .where('namespaceLineage.ancestorId', '=', owner.groupId)
            .select('project.id'),
        )
  return (await owned.execute()).map(({ place }) => place)
}

/** Whether a project uses the repository with this storage key. */
export async function isStorageKeyInUse({ db }: Pick<Handle, 'db'>, storageKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('projectRepository')
    .where('place', '=', storageKey)
    .select('projectId')
    .executeTakeFirst()
  return row !== undefined
}

/** Changes of references that a process did not record before it ended, or does not have recorded yet. */
export const selectPendingChanges = ({ db }: Pick<Handle, 'db'>, projectId: number) =>
  db.selectFrom('referenceChange').where('projectId', '=', projectId).orderBy('id')
