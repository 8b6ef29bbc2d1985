import type { Context } from '../../kernel/context.ts'
import { prepared } from '../../kernel/prepared.ts'
import type { Handle } from '../../kernel/store.ts'
import type { Repository } from '../../ports/git.ts'
import type { Ports } from '../../ports/ports.ts'

const placeOfProject = prepared((db, { projectId }: { projectId: number }) =>
  db.selectFrom('projectRepository').where('projectId', '=', projectId).select('place'),
)

/** Where the repository of a project lies; undefined for a project without one. */
export async function placeOf(handle: Handle, projectId: number): Promise<string | undefined> {
  const [row] = await placeOfProject(handle, { projectId })
  return row?.place
}

/**
 * The repository of a project; undefined for a project to which nothing was ever pushed. Asks the database only: what the
 * handle is asked for belongs outside of transactions.
 */
export async function repositoryOf(
  ctx: Handle & { readonly ports: Pick<Ports, 'git' | 'repositories'> },
  projectId: number,
): Promise<Repository | undefined> {
  const place = await placeOf(ctx, projectId)
  return place === undefined ? undefined : ctx.ports.git.open(ctx.ports.repositories.directoryOf(place))
}

/** Places of the repositories of a project, or of all projects below a group. */
export async function placesBelow(
  { db }: Pick<Context, 'db'>,
  owner: { readonly projectId: number } | { readonly groupId: number },
): Promise<readonly string[]> {
  const rows = db.selectFrom('projectRepository').select('place')
  const found =
    'projectId' in owner
      ? rows.where('projectId', '=', owner.projectId)
      : rows.where('projectId', 'in', (eb) =>
          eb
            .selectFrom('project')
            .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'project.namespaceId')
            .where('namespaceLineage.ancestorId', '=', owner.groupId)
            .select('project.id'),
        )
  return (await found.execute()).map(({ place }) => place)
}

/** Whether a project has its repository at this place. */
export async function isInUse({ db }: Pick<Handle, 'db'>, place: string): Promise<boolean> {
  const row = await db.selectFrom('projectRepository').where('place', '=', place).select('projectId').executeTakeFirst()
  return row !== undefined
}
