import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { linkColumns } from '../releases/queries.ts'
import type { LinkInput, ReleaseLink } from '../releases/release.ts'

/** Links of a release, unordered. */
export const selectLinks = (ctx: Context, releaseId: number) =>
  ctx.db.selectFrom('releaseLink').where('releaseLink.releaseId', '=', releaseId).select(linkColumns)

/**
 * Checks that no other link of the release has the name or URL.
 *
 * @throws PlatformError `invalid` for `name` and `url`
 */
export async function assertLinkAvailable(
  ctx: Context,
  releaseId: number,
  { name, url }: Partial<LinkInput>,
  except = 0,
): Promise<void> {
  const others = await selectLinks(ctx, releaseId).where('releaseLink.id', '!=', except).execute()
  const taken = ['has already been taken']
  const problems = {
    ...(others.some((other) => other.name === name) && { name: taken }),
    ...(others.some((other) => other.url === url) && { url: taken }),
  }
  if (Object.keys(problems).length) throw invalid(problems)
}

/** Inserts a link that has passed `validateLink`. */
export async function insertLink(ctx: Context, releaseId: number, input: LinkInput): Promise<ReleaseLink> {
  await assertLinkAvailable(ctx, releaseId, input)
  const { name, url, linkType = 'other', filepath = null } = input
  const row = await ctx.db
    .insertInto('releaseLink')
    .values({ releaseId, name, url, linkType, filepath } satisfies CompleteRow<'releaseLink'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, name, url, linkType, filepath }
}
