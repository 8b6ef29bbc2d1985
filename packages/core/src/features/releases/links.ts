import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { linkColumns } from './queries.ts'
import type { GivenLink, ReleaseLink } from './release.ts'

/** Links of a release, in no order. */
export const linksOf = (ctx: Context, releaseId: number) =>
  ctx.db.selectFrom('releaseLink').where('releaseLink.releaseId', '=', releaseId).select(linkColumns)

/** Refuses a name or an address that another link of the release has. */
export async function refuseTakenLink(
  ctx: Context,
  releaseId: number,
  { name, url }: Partial<GivenLink>,
  except = 0,
): Promise<void> {
  const others = await linksOf(ctx, releaseId).where('releaseLink.id', '!=', except).execute()
  const taken = ['has already been taken']
  const complaints = {
    ...(others.some((other) => other.name === name) && { name: taken }),
    ...(others.some((other) => other.url === url) && { url: taken }),
  }
  if (Object.keys(complaints).length) throw invalid(complaints)
}

/** Adds a link whose values were looked at before. */
export async function addLink(ctx: Context, releaseId: number, given: GivenLink): Promise<ReleaseLink> {
  await refuseTakenLink(ctx, releaseId, given)
  const { name, url, linkType = 'other', filepath = null } = given
  const [row] = await ctx.db
    .insertInto('releaseLink')
    .values({ releaseId, name, url, linkType, filepath })
    .returning('id')
    .execute()
  return { id: (row as { id: number }).id, name, url, linkType, filepath }
}
