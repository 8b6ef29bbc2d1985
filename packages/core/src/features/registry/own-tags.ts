import type { Context } from '../../kernel/context.ts'
import type { Image } from '../../ports/registry.ts'

/** Tags that are rows of the platform's own tables. */

type Reading = Pick<Context, 'db'>

export const ownTags = ({ db }: Reading, repositoryId: number) =>
  db.selectFrom('containerTag').where('containerRepositoryId', '=', repositoryId)

/** What a tag stands for. */
export const ownImage = (ctx: Reading, repositoryId: number, name: string): Promise<Image | undefined> =>
  ownTags(ctx, repositoryId)
    .where('name', '=', name)
    .select(['digest', 'revision', 'createdAt', 'totalSize'])
    .executeTakeFirst()

/** How many tags each repository has; those without any are left out. */
export async function ownCounts({ db }: Reading, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('containerTag')
    .where('containerRepositoryId', 'in', ids)
    .groupBy('containerRepositoryId')
    .select((eb) => ['containerRepositoryId as id', eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** Names of the tags of each repository, ordered by their bytes; those without any are left out. */
export async function ownNames(
  { db }: Reading,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await db
    .selectFrom('containerTag')
    .where('containerRepositoryId', 'in', ids)
    .orderBy('containerRepositoryId')
    .orderBy('name')
    .select(['containerRepositoryId', 'name'])
    .execute()
  const names = new Map<number, string[]>()
  for (const { containerRepositoryId: id, name } of rows) {
    const known = names.get(id)
    if (known) known.push(name)
    else names.set(id, [name])
  }
  return names
}
