import type { Context } from '../../../kernel/context.ts'
import type { Image } from '../../../ports/registry.ts'

type DatabaseContext = Pick<Context, 'db'>

/** Tags that are stored in the database, not in an external registry. */
export const selectStoredTags = ({ db }: DatabaseContext, repositoryId: number) =>
  db.selectFrom('containerTag').where('containerRepositoryId', '=', repositoryId)

/** The image of a stored tag. */
export const findStoredImage = (ctx: DatabaseContext, repositoryId: number, name: string): Promise<Image | undefined> =>
  selectStoredTags(ctx, repositoryId)
    .where('name', '=', name)
    .select(['digest', 'revision', 'createdAt', 'totalSize'])
    .executeTakeFirst()

/** Number of tags by repository id; repositories without tags are omitted. */
export async function countStoredTags(
  { db }: DatabaseContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('containerTag')
    .where('containerRepositoryId', 'in', ids)
    .groupBy('containerRepositoryId')
    .select((eb) => ['containerRepositoryId as id', eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** Tag names by repository id, in byte order; repositories without tags are omitted. */
export async function readStoredTagNames(
  { db }: DatabaseContext,
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
    const list = names.get(id)
    if (list) list.push(name)
    else names.set(id, [name])
  }
  return names
}
