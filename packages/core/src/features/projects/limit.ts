import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Namespace } from '../groups/group.ts'

/**
 * Keeps the number of projects in a person's own namespace within what they may have. The host is not bound by it.
 *
 * @throws PlatformError `invalid`, about `limitReached`, when another project is too many
 */
export async function refuseBeyondLimit(ctx: Context, { id, ownerId }: Namespace): Promise<void> {
  if (ownerId === null || ctx.actor.kind === 'system') return
  const { projectsLimit } = await ctx.db
    .selectFrom('user')
    .where('id', '=', ownerId)
    .select('projectsLimit')
    .executeTakeFirstOrThrow()
  const { count } = await ctx.db
    .selectFrom('project')
    .where('namespaceId', '=', id)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) < projectsLimit) return
  const what = `Your project limit is ${projectsLimit} projects!`
  throw invalid({ limitReached: [`${what} Please contact your administrator to increase it`] })
}
